package dev.outbox.internal;

import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.event.OutboxEvent;
import dev.outbox.store.NodeBeat;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.ReapPolicy;
import dev.outbox.store.Reaped;
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
final class Pulse {

  private static final Logger log = LoggerFactory.getLogger(Pulse.class);

  /** Some stores take emails one by one, and meanwhile this node has to beat. */
  private static final int REAP_SIZE = 100;

  private final OutboxStore store;
  private final Lease lease;
  private final NodeWatch watch;
  private final Ledger ledger;
  private final Outage outage;
  private final ReapPolicy policy;
  private final Notices notices;
  private final Meter meter;
  private final LongSupplier nanos;
  private final long interval;
  private final Set<NodeId> unreaped = new HashSet<>();
  private boolean late;
  private volatile long answeredAt;

  Pulse(
      OutboxStore store,
      Lease lease,
      NodeWatch watch,
      Ledger ledger,
      Outage outage,
      ReapPolicy policy,
      Notices notices,
      Meter meter,
      LongSupplier nanos,
      Duration interval) {
    this.store = store;
    this.lease = lease;
    this.watch = watch;
    this.ledger = ledger;
    this.outage = outage;
    this.policy = policy;
    this.notices = notices;
    this.meter = meter;
    this.nanos = nanos;
    this.interval = interval.toNanos();
    this.answeredAt = nanos.getAsLong();
  }

  synchronized void beat() {
    try {
      long before = nanos.getAsLong();
      List<NodeBeat> beats = heartbeat();
      long after = nanos.getAsLong();
      tellIfLate();
      if (outage.isOn() || ledger.isBehind()) {
        ledger.settle();
        answered();
        outage.end();
      }
      for (NodeBeat dead : watch.look(beats, before, after)) {
        reapSafely(dead);
      }
    } catch (Throwable e) {
      watch.blind();
      outage.begin(e);
    }
  }

  /**
   * Beats. A call that took longer than one interval resets all observations: what blocked it may
   * have blocked the heartbeats of other nodes too.
   */
  private List<NodeBeat> heartbeat() {
    long before = nanos.getAsLong();
    List<NodeBeat> beats = lease.beat();
    answered();
    if (nanos.getAsLong() - before > interval) {
      watch.blind();
    }
    return beats;
  }

  /** Remembers that the store has answered, or that it is only asked from now on. */
  void answered() {
    answeredAt = nanos.getAsLong();
  }

  /** Returns when the store has last answered a call of the heartbeat, by the monotonic clock. */
  long answeredAt() {
    return answeredAt;
  }

  /** A store that is there and slow stops a node like one that is away, and says nothing itself. */
  private void tellIfLate() {
    boolean isLate = !lease.stands();
    if (isLate && !late) {
      log.error("the store takes longer than half the lease to answer a heartbeat, pausing");
    } else if (late && !isLate) {
      log.info("the store answers heartbeats in time, going on");
    }
    late = isLate;
  }

  /**
   * Reaps a node. An error that one of its emails may have caused does not stop this node: every
   * node would meet it again with each heartbeat.
   */
  private void reapSafely(NodeBeat dead) {
    try {
      reap(dead);
      unreaped.remove(dead.node());
    } catch (Throwable e) {
      if (!Outage.mayBeCausedByAnEmail(e)) {
        throw e;
      }
      if (unreaped.add(dead.node())) {
        Failures.logSafely(
            () ->
                log.error(
                    "node {} died, and taking its emails failed: {}",
                    dead.node(),
                    e instanceof StoreException failure
                        ? failure.getMessage() + " (" + failure.reason() + ")"
                        : Failures.describe(e)));
      }
    }
  }

  /** Forgets what was watched, for a thread that may have been frozen. */
  synchronized void blind() {
    watch.blind();
  }

  private void reap(NodeBeat dead) {
    List<Reaped> taken = take(dead);
    if (taken.isEmpty()) {
      store.retire(dead.node());
      return;
    }
    while (!taken.isEmpty()) {
      log.warn("node {} died holding emails, took {} of them", dead.node(), taken.size());
      int count = taken.size();
      meter.report(metrics -> metrics.reaped(count));
      taken.forEach(this::tell);
      taken = take(dead);
    }
  }

  /** Beats before, if it is time: whoever takes the emails of many must not seem dead meanwhile. */
  private List<Reaped> take(NodeBeat dead) {
    if (!lease.isYoung()) {
      heartbeat();
    }
    List<Reaped> taken = store.reap(dead.node(), dead.beat(), policy, REAP_SIZE);
    answered();
    return taken;
  }

  private void tell(Reaped reaped) {
    EmailId id = reaped.id();
    notices.post(new OutboxEvent.EmailReaped(id, reaped.reaps()));
    if (reaped.code() != null) {
      log.warn("{} failed: {}", id, reaped.code());
      notices.post(new OutboxEvent.EmailFailed(id, reaped.code(), List.of()));
    }
  }
}
