package dev.outbox.email;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One state that an email was in, as its history tells it.
 *
 * @param state the state it reached
 * @param at when, by the store's clock
 * @param generation how often it had been requeued by hand
 * @param attempt how many deliveries had been used up
 * @param node which node did it; null for accepting it and for what people did by hand, and where
 *     it is not known any more: who rendered what then waited in {@code READY} until it was sent,
 *     or what was then cancelled, requeued and rendered again
 * @param code why it failed; null if it did not
 * @param reason in words, or null
 * @param detail the relay's or the callback receiver's words, or null
 */
public record HistoryEntry(
    State state,
    Instant at,
    int generation,
    int attempt,
    @Nullable NodeId node,
    @Nullable FailureCode code,
    @Nullable String reason,
    @Nullable String detail) {

  /** Shows state and time, not the words. */
  @Override
  public String toString() {
    return "HistoryEntry[%s, %s]".formatted(state.wireName(), at);
  }
}
