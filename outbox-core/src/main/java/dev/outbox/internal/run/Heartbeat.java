package dev.outbox.internal.run;

import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.event.OutboxEvent;
import dev.outbox.internal.event.EventPublisher;
import dev.outbox.internal.event.GuardedMetrics;
import dev.outbox.internal.logging.ErrorSummary;
import dev.outbox.internal.node.DeadNodeDetector;
import dev.outbox.internal.node.NodeLease;
import dev.outbox.internal.node.StoreAvailability;
import dev.outbox.internal.record.CompletionRecorder;
import dev.outbox.store.NodeHeartbeat;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.ReapPolicy;
import dev.outbox.store.ReapedEmail;
import dev.outbox.store.StoreException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One beat of a node with all that belongs to it, in this order: say that it lives, record what was
 * kept during an outage, and only then take emails from the dead. Used by one thread at a time.
 */
public final class Heartbeat {

  private static final Logger log = LoggerFactory.getLogger(Heartbeat.class);

  /** Some stores take emails one by one, and meanwhile this node has to beat. */
  private static final int REAP_SIZE = 100;

  private final OutboxStore store;
  private final NodeLease lease;
  private final DeadNodeDetector watch;
  private final CompletionRecorder recorder;
  private final StoreAvailability availability;
  private final ReapPolicy policy;
  private final EventPublisher publisher;
  private final GuardedMetrics metrics;
  private final LongSupplier nanos;
  private final long interval;
  private final Set<NodeId> unreaped = new HashSet<>();
  private boolean late;
  private volatile long answeredAt;

  Heartbeat(
      OutboxStore store,
      NodeLease lease,
      DeadNodeDetector watch,
      CompletionRecorder recorder,
      StoreAvailability availability,
      ReapPolicy policy,
      EventPublisher publisher,
      GuardedMetrics metrics,
      LongSupplier nanos,
      Duration interval) {
    this.store = store;
    this.lease = lease;
    this.watch = watch;
    this.recorder = recorder;
    this.availability = availability;
    this.policy = policy;
    this.publisher = publisher;
    this.metrics = metrics;
    this.nanos = nanos;
    this.interval = interval.toNanos();
    this.answeredAt = nanos.getAsLong();
  }

  synchronized void beat() {
    try {
      long before = nanos.getAsLong();
      List<NodeHeartbeat> beats = heartbeat();
      long after = nanos.getAsLong();
      reportIfLate();
      if (availability.isUnavailable() || recorder.hasUnwrittenCompletions()) {
        recorder.flush();
        answered();
        availability.markAvailable();
      }
      for (NodeHeartbeat dead : watch.observe(beats, before, after)) {
        reapSafely(dead);
      }
    } catch (Throwable e) {
      watch.resetObservations();
      availability.markUnavailable(e);
    }
  }

  /**
   * Beats. A call that took longer than one interval resets all observations: what blocked it may
   * have blocked the heartbeats of other nodes too.
   */
  private List<NodeHeartbeat> heartbeat() {
    long before = nanos.getAsLong();
    List<NodeHeartbeat> beats = lease.beat();
    answered();
    if (nanos.getAsLong() - before > interval) {
      watch.resetObservations();
    }
    return beats;
  }

  /** Remembers that the store has answered, or that it is only asked from now on. */
  public void answered() {
    answeredAt = nanos.getAsLong();
  }

  /** Returns when the store has last answered a call of the heartbeat, by the monotonic clock. */
  long answeredAt() {
    return answeredAt;
  }

  /** A store that is there and slow stops a node like one that is away, and says nothing itself. */
  private void reportIfLate() {
    boolean isLate = !lease.isValid();
    if (isLate && !late) {
      log.error(
          "the store takes longer than half the lease to answer a heartbeat, processing paused");
    } else if (late && !isLate) {
      log.info("the store answers heartbeats in time, processing resumed");
    }
    late = isLate;
  }

  /**
   * Reaps a node. An error that one of its emails may have caused does not stop this node: every
   * node would meet it again with each heartbeat.
   */
  private void reapSafely(NodeHeartbeat dead) {
    try {
      reap(dead);
      unreaped.remove(dead.node());
    } catch (Throwable e) {
      if (!StoreAvailability.mayBeCausedByAnEmail(e)) {
        throw e;
      }
      if (unreaped.add(dead.node())) {
        ErrorSummary.logSafely(
            () ->
                log.error(
                    "node {} died, and taking its emails failed: {}",
                    dead.node(),
                    e instanceof StoreException failure
                        ? failure.getMessage() + " (" + failure.reason() + ")"
                        : ErrorSummary.describe(e)));
      }
    }
  }

  /** Forgets what was watched, for a thread that may have been frozen. */
  synchronized void resetObservations() {
    watch.resetObservations();
  }

  private void reap(NodeHeartbeat dead) {
    List<ReapedEmail> taken = take(dead);
    if (taken.isEmpty()) {
      store.deregister(dead.node());
      return;
    }
    while (!taken.isEmpty()) {
      log.warn("node {} died holding emails, took {} of them", dead.node(), taken.size());
      int count = taken.size();
      metrics.report(metrics -> metrics.reaped(count));
      taken.forEach(this::publish);
      taken = take(dead);
    }
  }

  /** Beats before, if it is time: whoever takes the emails of many must not seem dead meanwhile. */
  private List<ReapedEmail> take(NodeHeartbeat dead) {
    if (!lease.isYoung()) {
      heartbeat();
    }
    List<ReapedEmail> taken = store.reap(dead.node(), dead.beat(), policy, REAP_SIZE);
    answered();
    return taken;
  }

  private void publish(ReapedEmail reaped) {
    EmailId id = reaped.id();
    publisher.post(new OutboxEvent.EmailReaped(id, reaped.reaps()));
    if (reaped.code() != null) {
      log.warn("{} failed: {}", id, reaped.code());
      publisher.post(new OutboxEvent.EmailFailed(id, reaped.code(), List.of()));
    }
  }
}
