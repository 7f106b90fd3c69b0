package dev.outbox.callback;

import dev.outbox.email.EmailId;
import dev.outbox.email.FailureCode;
import dev.outbox.email.State;
import java.net.URI;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a host is told about one email.
 *
 * @param url whom to tell
 * @param id the email
 * @param outcome sent, failed or invalid
 * @param code why it failed; null if it did not
 * @param reason the relay's words or a general text, or null
 * @param reachedAt when the outcome was recorded
 * @param attempts deliveries used up
 * @param generation how often it was requeued by hand; a new generation is a new outcome
 * @param requestId the host's own reference, or null
 */
public record CallbackNotice(
    URI url,
    EmailId id,
    State outcome,
    @Nullable FailureCode code,
    @Nullable String reason,
    Instant reachedAt,
    int attempts,
    int generation,
    @Nullable String requestId) {

  /** Shows identity and outcome. */
  @Override
  public String toString() {
    return "CallbackNotice[%s, %s]".formatted(id, outcome.wireName());
  }
}
