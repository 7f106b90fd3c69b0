package dev.outbox.testkit;

import dev.outbox.email.FailureCode;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import org.jspecify.annotations.Nullable;

/** A row of history as it should be; its parts are those of {@code HistoryRow}. */
record ModelStep(
    State from,
    State to,
    Moment at,
    @Nullable Moment preparing,
    @Nullable Moment sending,
    int generation,
    int attempt,
    @Nullable NodeId node,
    @Nullable FailureCode code,
    @Nullable String reason,
    @Nullable String detail) {

  /** Returns the same without its words, as erasing leaves it. */
  ModelStep hushed() {
    return new ModelStep(
        from, to, at, preparing, sending, generation, attempt, node, code, null, null);
  }
}
