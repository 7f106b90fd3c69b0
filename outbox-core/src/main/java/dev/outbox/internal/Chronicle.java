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
    chronicle.add(State.ACCEPTED, times.created(), 0, 0);
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
    int generation = row.generation();
    int attempt = row.attempt();
    if (!from.isSettled()) {
      walk(from, row.preparing(), times.prepared(), row.sending(), generation, attempt);
    } else if (from.outcome() == State.SENT && !last().isSettled()) {
      sent(times, generation, attempt);
    }
    if (from.isSettled() && from.isBusy() && last() != from) {
      add(from, row.at(), generation, attempt);
    }
  }

  /** Adds the normal steps from the last known state to the one in which something happened. */
  private void walk(
      State to,
      @Nullable Instant preparing,
      @Nullable Instant prepared,
      @Nullable Instant sending,
      int generation,
      int attempt) {
    if (last() == State.ACCEPTED && to != State.ACCEPTED && preparing != null) {
      add(State.INTAKING, preparing, generation, attempt);
      if (isStaged(to, preparing, prepared, sending)) {
        add(State.READY, Objects.requireNonNull(prepared), generation, attempt);
      }
    }
    if (to == State.PROCESSING && last() != State.PROCESSING && sending != null) {
      add(State.PROCESSING, sending, generation, attempt);
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
    int generation = email.progress().generation();
    int attempt = email.progress().attempts();
    if (last() == now) {
      return;
    }
    switch (now) {
      case INTAKING, READY, PROCESSING ->
          walk(now, times.preparing(), times.prepared(), times.sending(), generation, attempt);
      case SENT -> sent(times, generation, attempt);
      case CALLING_SENT_CALLBACK -> {
        if (last() != State.SENT) {
          sent(times, generation, attempt);
        }
        add(now, times.updated(), generation, attempt);
      }
      default -> add(now, times.updated(), generation, attempt);
    }
  }

  private void sent(Timeline times, int generation, int attempt) {
    walk(
        State.PROCESSING,
        times.preparing(),
        times.prepared(),
        times.sending(),
        generation,
        attempt);
    add(State.SENT, Objects.requireNonNullElse(times.sent(), times.updated()), generation, attempt);
  }

  private State last() {
    return entries.get(entries.size() - 1).state();
  }

  private void add(State state, Instant at, int generation, int attempt) {
    entries.add(new HistoryEntry(state, at, generation, attempt, null, null, null, null));
  }
}
