package dev.outbox.verification.chaos;

import dev.outbox.email.State;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row of an email's history.
 *
 * @param from the state before
 * @param to the state after
 * @param at when
 * @param node which node did it, or died; null for what was done by hand
 * @param reason in words, or null
 */
record HistoryStep(
    State from, State to, Instant at, @Nullable String node, @Nullable String reason) {

  private static final String REAPED = "its node died";
  private static final String DUPLICATE = "possible duplicate";

  boolean isReap() {
    return REAPED.equals(reason);
  }

  boolean isRequeue() {
    return "requeued".equals(reason);
  }

  /** Returns whether it only notes something, and changes no state. */
  boolean isNote() {
    return from == to && (isDuplicate() || "erased".equals(reason));
  }

  boolean isDuplicate() {
    return reason != null && reason.startsWith(DUPLICATE);
  }

  @Override
  public String toString() {
    return from.wireName() + ">" + to.wireName() + (reason == null ? "" : " (" + reason + ")");
  }
}
