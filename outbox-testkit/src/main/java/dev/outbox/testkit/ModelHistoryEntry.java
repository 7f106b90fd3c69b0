package dev.outbox.testkit;

import dev.outbox.email.FailureCode;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import org.jspecify.annotations.Nullable;

/** A row of history as it should be; its parts are those of {@code HistoryRow}. */
record ModelHistoryEntry(
    State from,
    State to,
    ModelTime at,
    @Nullable ModelTime preparing,
    @Nullable ModelTime sending,
    int generation,
    int attempt,
    @Nullable NodeId node,
    @Nullable FailureCode code,
    @Nullable String reason,
    @Nullable String detail) {

  /** Returns the same without its words, as erasing leaves it. */
  ModelHistoryEntry hushed() {
    return new ModelHistoryEntry(
        from, to, at, preparing, sending, generation, attempt, node, code, null, null);
  }
}
