package dev.outbox.store;

import dev.outbox.email.FailureCode;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something out of the ordinary that happened to an email: a retry, a reap, a failure, a requeue, a
 * callback. The normal way has no rows; its times are columns, and a row keeps the two of them that
 * a later try will overwrite.
 *
 * @param from the state before
 * @param to the state after
 * @param at when, by the store's clock
 * @param preparing when rendering had begun, or null
 * @param sending when it had gone to the wire, or null
 * @param generation how often it had been requeued by hand
 * @param attempt how many deliveries had been used up
 * @param node which node did it; null for what people did by hand
 * @param code why it failed; null if it did not
 * @param reason in words, or null
 * @param detail the relay's or the callback receiver's words, or null
 */
public record HistoryRecord(
    State from,
    State to,
    Instant at,
    @Nullable Instant preparing,
    @Nullable Instant sending,
    int generation,
    int attempt,
    @Nullable NodeId node,
    @Nullable FailureCode code,
    @Nullable String reason,
    @Nullable String detail) {

  /** Shows the step and its time, not the words. */
  @Override
  public String toString() {
    return "HistoryRow[%s to %s, %s]".formatted(from.wireName(), to.wireName(), at);
  }
}
