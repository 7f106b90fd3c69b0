package dev.outbox.internal;

import dev.outbox.email.EmailSummary;
import dev.outbox.email.HistoryEntry;
import dev.outbox.email.State;
import dev.outbox.email.Timeline;
import dev.outbox.store.HistoryRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tells an email's whole way from what was stored of it: the times of the normal way, and a row for
 * everything else.
 */
final class Chronicle {

  private final List<HistoryEntry> entries = new ArrayList<>();

  private Chronicle() {}

  static List<HistoryEntry> of(EmailSummary email, List<HistoryRow> rows) {
    Chronicle chronicle = new Chronicle();
    Timeline times = email.timeline();
    chronicle.entries.add(
        new HistoryEntry(State.ACCEPTED, times.created(), 0, 0, null, null, null, null));
    for (HistoryRow row : rows) {
      chronicle.reach(row, times);
      chronicle.entries.add(
          new HistoryEntry(
              row.to(),
              row.at(),
              row.generation(),
              row.attempt(),
              row.node(),
              row.code(),
              row.reason(),
              row.detail()));
    }
    chronicle.finish(email, times);
    return List.copyOf(chronicle.entries);
  }

  /** Adds what must have come before something that happened. */
  private void reach(HistoryRow row, Timeline times) {
    State from = row.from();
    if (!from.isSettled()) {
      walk(from, row.preparing(), times.prepared(), row.sending());
    } else if (from.outcome() == State.SENT && !last().isSettled()) {
      sent(times);
    }
    if (from.isSettled() && from.isBusy() && last() != from) {
      add(from, row.at());
    }
  }

  /** Adds the normal steps from the last known state to the one in which something happened. */
  private void walk(
      State to,
      @Nullable Instant preparing,
      @Nullable Instant prepared,
      @Nullable Instant sending) {
    if (last() == State.ACCEPTED && to != State.ACCEPTED && preparing != null) {
      add(State.INTAKING, preparing);
      if (isStaged(to, preparing, prepared, sending)) {
        add(State.READY, Objects.requireNonNull(prepared));
      }
    }
    if (to == State.PROCESSING && last() != State.PROCESSING && sending != null) {
      add(State.PROCESSING, sending);
    }
  }

  /** Whether it was stored as ready in between; what goes straight on to the wire is not. */
  private static boolean isStaged(
      State to, Instant preparing, @Nullable Instant prepared, @Nullable Instant sending) {
    if (prepared == null || prepared.isBefore(preparing)) {
      return false;
    }
    return to == State.READY
        || (to == State.PROCESSING && sending != null && prepared.isBefore(sending));
  }

  private void finish(EmailSummary email, Timeline times) {
    State now = email.state();
    if (last() == now) {
      return;
    }
    switch (now) {
      case INTAKING, READY, PROCESSING ->
          walk(now, times.preparing(), times.prepared(), times.sending());
      case SENT -> sent(times);
      case CALLING_SENT_CALLBACK -> {
        if (last() != State.SENT) {
          sent(times);
        }
        add(now, times.updated());
      }
      default -> add(now, times.updated());
    }
  }

  private void sent(Timeline times) {
    walk(State.PROCESSING, times.preparing(), times.prepared(), times.sending());
    add(State.SENT, Objects.requireNonNullElse(times.sent(), times.updated()));
  }

  private State last() {
    return entries.get(entries.size() - 1).state();
  }

  /** Adds a step of the normal way, which changes no counter. */
  private void add(State state, Instant at) {
    HistoryEntry before = entries.get(entries.size() - 1);
    entries.add(
        new HistoryEntry(state, at, before.generation(), before.attempt(), null, null, null, null));
  }
}
