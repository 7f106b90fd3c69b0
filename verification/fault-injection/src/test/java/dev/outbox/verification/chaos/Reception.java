package dev.outbox.verification.chaos;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An email as the relay took it.
 *
 * @param id the email, by its Message-ID
 * @param recipient whom it was for
 * @param node who delivered it, as it introduced itself
 * @param dot when the final dot came
 * @param fault what the relay did instead of a plain answer, or null
 */
record Reception(String id, String recipient, String node, Instant dot, @Nullable String fault) {}
