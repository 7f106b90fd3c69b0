package dev.outbox.store;

import dev.outbox.email.EmailSummary;
import org.jspecify.annotations.Nullable;

/**
 * A stored email with its content, while there is any.
 *
 * @param summary all that is known without opening it
 * @param content null once it was dropped or erased
 */
public record StoredEmail(EmailSummary summary, @Nullable StoredContent content) {}
