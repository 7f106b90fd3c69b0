package dev.outbox.store;

import dev.outbox.email.EmailId;
import dev.outbox.email.FailureCode;
import dev.outbox.email.State;
import org.jspecify.annotations.Nullable;

/**
 * An email that was taken from a dead node.
 *
 * @param id the email
 * @param from the busy state in which it was held
 * @param to its state from now on
 * @param reaps how often that has happened to it
 * @param code why it was given up; null if it was not
 */
public record ReapedEmail(
    EmailId id, State from, State to, int reaps, @Nullable FailureCode code) {}
