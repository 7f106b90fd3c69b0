package dev.outbox.internal.node;

import dev.outbox.email.State;
import dev.outbox.store.PriorityLane;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The claims that fail though the store is available. Ordinary claims of a state and its claims of
 * suspects are counted apart: one kind may succeed while the other always fails. Safe for many
 * threads.
 */
public final class ClaimFailureCounter {

  private static final int SEVERAL = 3;
  private static final long LASTING = Duration.ofSeconds(30).toNanos();
  private static final long LOGGED_EVERY = Duration.ofMinutes(5).toNanos();

  private record Kind(State from, boolean suspects) {}

  /** Failures in a row, with the time of the first one. */
  private record Row(int failures, long since) {}

  private final LongSupplier nanos;
  private final Map<Kind, Row> rows = new ConcurrentHashMap<>();
  private final Map<State, Long> loggedAt = new ConcurrentHashMap<>();

  public ClaimFailureCounter(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Records that a claim of this kind succeeded. */
  public void succeeded(State from, Set<PriorityLane> lanes) {
    boolean failedBefore = rows.remove(kind(from, lanes)) != null;
    if (failedBefore && rows.keySet().stream().noneMatch(kind -> kind.from() == from)) {
      loggedAt.remove(from);
    }
  }

  /** Counts a failure; returns whether it is to be logged as an error. */
  public boolean failed(State from, Set<PriorityLane> lanes) {
    long now = nanos.getAsLong();
    rows.merge(
        kind(from, lanes),
        new Row(1, now),
        (before, one) -> new Row(before.failures() + 1, before.since()));
    Long last = loggedAt.get(from);
    boolean logs = last == null || now - last >= LOGGED_EVERY;
    if (logs) {
      loggedAt.put(from, now);
    }
    return logs;
  }

  /** Returns the states of which one kind of claims has failed for at least 30 s, several times. */
  public Set<State> lasting() {
    long now = nanos.getAsLong();
    Set<State> states = new TreeSet<>();
    rows.forEach(
        (kind, row) -> {
          if (row.failures() >= SEVERAL && now - row.since() >= LASTING) {
            states.add(kind.from());
          }
        });
    return Collections.unmodifiableSet(states);
  }

  private static Kind kind(State from, Set<PriorityLane> lanes) {
    return new Kind(from, lanes.equals(Set.of(PriorityLane.SUSPECT)));
  }
}
