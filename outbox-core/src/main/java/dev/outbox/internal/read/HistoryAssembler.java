package dev.outbox.internal.read;

import dev.outbox.email.EmailSummary;
import dev.outbox.email.HistoryEntry;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.email.Timeline;
import dev.outbox.store.HistoryRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tells an email's whole way from what was stored of it: the times of the normal way, and a row for
 * everything else.
 */
public final class HistoryAssembler {

  private final EmailSummary email;
  private final Timeline times;
  private final List<HistoryEntry> entries = new ArrayList<>();

  private HistoryAssembler(EmailSummary email) {
    this.email = email;
    this.times = email.timeline();
  }

  /** Returns the history of an email, oldest entry first. */
  public static List<HistoryEntry> of(EmailSummary email, List<HistoryRecord> rows) {
    HistoryAssembler chronicle = new HistoryAssembler(email);
    chronicle.entries.add(
        new HistoryEntry(State.ACCEPTED, email.timeline().created(), 0, 0, null, null, null, null));
    for (HistoryRecord row : rows) {
      chronicle.reach(row);
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
    chronicle.finish();
    return List.copyOf(chronicle.entries);
  }

  /** Adds what must have come before something that happened. */
  private void reach(HistoryRecord row) {
    State from = row.from();
    if (!from.hasOutcome()) {
      walk(from, row.preparing(), row.sending(), worker(row));
    } else if (from.outcome() == State.SENT && !last().hasOutcome()) {
      sent();
    }
    if (from.hasOutcome() && from.isBusy() && last() != from) {
      add(from, row.at(), row.node());
    }
  }

  /** Returns who had rendered or sent it when something happened; null if nobody knows any more. */
  private @Nullable NodeId worker(HistoryRecord row) {
    boolean isNote = row.from() == row.to();
    if (row.node() != null && !isNote) {
      return row.node();
    }
    boolean wasClaimedSince =
        !Objects.equals(row.preparing(), times.preparing())
            || !Objects.equals(row.sending(), times.sending());
    return wasClaimedSince ? null : email.worker();
  }

  /** Adds the normal steps from the last known state to the one in which something happened. */
  private void walk(
      State to, @Nullable Instant preparing, @Nullable Instant sending, @Nullable NodeId worker) {
    if (last() == State.ACCEPTED && to != State.ACCEPTED && preparing != null) {
      Instant prepared = stagedAt(to, preparing, sending);
      // What was ready may have been sent by another node than the one that rendered it.
      NodeId renderer = prepared != null && to == State.PROCESSING ? null : worker;
      add(State.INTAKING, preparing, renderer);
      if (prepared != null) {
        add(State.READY, prepared, renderer);
      }
    }
    if (to == State.PROCESSING && last() != State.PROCESSING && sending != null) {
      add(State.PROCESSING, sending, worker);
    }
  }

  /** Returns when it was stored as ready; null if not, as what goes straight on to the wire. */
  private @Nullable Instant stagedAt(State to, Instant preparing, @Nullable Instant sending) {
    Instant prepared = times.prepared();
    if (prepared == null || prepared.isBefore(preparing)) {
      return null;
    }
    boolean isStaged =
        to == State.READY
            || (to == State.PROCESSING && sending != null && prepared.isBefore(sending));
    return isStaged ? prepared : null;
  }

  private void finish() {
    State now = email.state();
    if (last() == now) {
      return;
    }
    switch (now) {
      case INTAKING, READY, PROCESSING ->
          walk(now, times.preparing(), times.sending(), email.worker());
      case SENT -> sent();
      case CALLING_SENT_CALLBACK -> {
        if (last() != State.SENT) {
          sent();
        }
        add(now, times.updated(), email.owner());
      }
      default -> add(now, times.updated(), email.owner());
    }
  }

  /** Adds how it was sent; nobody renders or sends it after that, so its worker is who did. */
  private void sent() {
    walk(State.PROCESSING, times.preparing(), times.sending(), email.worker());
    add(State.SENT, Objects.requireNonNullElse(times.sent(), times.updated()), email.worker());
  }

  private State last() {
    return entries.get(entries.size() - 1).state();
  }

  /** Adds a step of the normal way, which changes no counter. */
  private void add(State state, Instant at, @Nullable NodeId node) {
    HistoryEntry before = entries.get(entries.size() - 1);
    entries.add(
        new HistoryEntry(state, at, before.generation(), before.attempt(), node, null, null, null));
  }
}
