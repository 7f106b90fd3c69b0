package dev.outbox.verification.chaos;

import dev.outbox.email.State;
import org.jspecify.annotations.Nullable;

/**
 * What a table says of one email.
 *
 * @param id the email
 * @param archived whether it is in the log
 * @param state where it is
 * @param code why it failed, or null
 * @param counters how often it was requeued, tried, reaped and told of
 * @param waits whether a node has it, or is going to
 * @param recipients who gets it, as written there; null if that was erased
 * @param subject its subject; null if that was erased
 * @param content whether there is content
 * @param callback who is told, or null
 * @param key the digest of its idempotency key in hexadecimal, or null
 */
record EmailFacts(
    String id,
    boolean archived,
    State state,
    @Nullable String code,
    Counters counters,
    boolean waits,
    @Nullable String recipients,
    @Nullable String subject,
    boolean content,
    @Nullable String callback,
    @Nullable String key) {

  record Counters(int generation, int attempts, int reaps, int tries) {}

  boolean isSent() {
    return state.outcome() == State.SENT;
  }

  /** Returns whether it failed with a code. */
  boolean failedBy(String reason) {
    return state.outcome() == State.FAILED && reason.equals(code);
  }

  @Override
  public String toString() {
    return "%s (%s%s%s, %s)"
        .formatted(
            id,
            state.wireName(),
            code == null ? "" : "/" + code,
            archived ? ", in the log" : "",
            counters);
  }
}
