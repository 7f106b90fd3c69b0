package dev.outbox.internal.run;

import dev.outbox.email.State;
import dev.outbox.internal.event.GuardedMetrics;
import dev.outbox.internal.logging.ErrorSummary;
import dev.outbox.internal.node.StoreAvailability;
import dev.outbox.settings.ProcessingSettings;
import dev.outbox.settings.RetentionSettings;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.StateCount;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What has to be done now and then: ending jobs that take too long, reporting the backlog, removing
 * what is older than its retention. On a thread of its own, so that it holds up nobody.
 */
final class Maintenance {

  private static final Logger log = LoggerFactory.getLogger(Maintenance.class);
  private static final int PRUNE_SIZE = 500;
  private static final long BACKLOG_EVERY = Duration.ofSeconds(10).toNanos();
  private static final long PRUNE_EVERY = Duration.ofMinutes(1).toNanos();

  private static final StateCount NOTHING = new StateCount(0, Duration.ZERO, Duration.ZERO);

  private final OutboxStore store;
  private final RetentionSettings retention;
  private final RunningTasks tasks;
  private final StoreAvailability availability;
  private final GuardedMetrics metrics;
  private final LongSupplier nanos;
  private final long deadline;
  private long backlogAt;
  private long prunedAt;
  private volatile @Nullable Duration backlog;

  Maintenance(
      OutboxStore store,
      RetentionSettings retention,
      RunningTasks tasks,
      StoreAvailability availability,
      GuardedMetrics metrics,
      LongSupplier nanos,
      ProcessingSettings settings) {
    this.store = store;
    this.retention = retention;
    this.tasks = tasks;
    this.availability = availability;
    this.metrics = metrics;
    this.nanos = nanos;
    this.deadline = settings.stageTimeout().toNanos();
    this.backlogAt = nanos.getAsLong();
    this.prunedAt = nanos.getAsLong();
  }

  /** Does what is due; called about every second. */
  void run(BooleanSupplier stopping) {
    tasks.expire(deadline);
    if (availability.isUnavailable()) {
      return;
    }
    try {
      long now = nanos.getAsLong();
      if (now - backlogAt >= BACKLOG_EVERY) {
        backlogAt = now;
        reportBacklog();
      }
      if (now - prunedAt >= PRUNE_EVERY) {
        prunedAt = now;
        prune(stopping);
      }
    } catch (Throwable e) {
      // The pulse notices an outage soon enough; this can wait for the next time.
      log.debug("maintenance was put off: {}", ErrorSummary.describe(e));
    }
  }

  /** Returns how long the longest-waiting email was overdue at the last count; empty before it. */
  Optional<Duration> backlog() {
    return Optional.ofNullable(backlog);
  }

  /** Removes what is older than its retention, batch by batch. */
  void prune(BooleanSupplier stopping) {
    while (store.prune(retention, PRUNE_SIZE) >= PRUNE_SIZE) {
      if (stopping.getAsBoolean()) {
        return;
      }
    }
  }

  private void reportBacklog() {
    Map<State, StateCount> counts = store.stats();
    backlog =
        Stream.of(State.ACCEPTED, State.READY)
            .map(state -> counts.getOrDefault(state, NOTHING).overdue())
            .max(Comparator.naturalOrder())
            .orElse(Duration.ZERO);
    for (State state : State.values()) {
      // A state that has run empty is told too, or the host's gauge would stand still.
      StateCount count = counts.getOrDefault(state, NOTHING);
      metrics.report(metrics -> metrics.backlog(state, count.count(), count.overdue()));
    }
  }
}
