package dev.outbox.internal.node;

import dev.outbox.email.NodeId;
import dev.outbox.store.NodeHeartbeat;
import dev.outbox.store.OutboxStore;
import dev.outbox.transport.SendPermit;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * A node's own lease: it is sure for half its length after the last beat that the store answered,
 * by this process's monotonic clock. Safe for many threads.
 */
public final class NodeLease {

  private final NodeId node;
  private final OutboxStore store;
  private final LongSupplier nanos;
  private final long length;
  private final long sureFor;
  private volatile long lastBeat;
  private volatile long unbrokenSince;
  private volatile boolean beaten;
  private volatile long answeredAt;

  public NodeLease(NodeId node, OutboxStore store, LongSupplier nanos, Duration length) {
    this.node = node;
    this.store = store;
    this.nanos = nanos;
    this.length = length.toNanos();
    this.sureFor = this.length / 2;
  }

  /** Returns the node that the lease belongs to. */
  public NodeId node() {
    return node;
  }

  /** Beats, and returns the counters of all nodes. */
  public List<NodeHeartbeat> beat() {
    // The time before the call counts: others see the beat at some moment after it.
    long before = nanos.getAsLong();
    List<NodeHeartbeat> beats = store.heartbeat(node);
    if (!beaten || nanos.getAsLong() - lastBeat >= length) {
      unbrokenSince = before;
    }
    lastBeat = before;
    answeredAt = nanos.getAsLong();
    beaten = true;
    return beats;
  }

  /** Returns when the store has last answered a beat, by the monotonic clock; empty if never. */
  public OptionalLong answeredAt() {
    return beaten ? OptionalLong.of(answeredAt) : OptionalLong.empty();
  }

  /** Returns whether it is sure. */
  public boolean isValid() {
    return beaten && nanos.getAsLong() - lastBeat < sureFor;
  }

  /** Returns whether it is sure, and less than half of that time is over. */
  public boolean isYoung() {
    return beaten && nanos.getAsLong() - lastBeat < sureFor / 2;
  }

  /** Returns whether it is still sure, and half of that time is over. */
  public boolean isAging() {
    return isValid() && !isYoung();
  }

  /**
   * Returns the permit for an email that was claimed at a time of the monotonic clock. After a
   * silence as long as the lease it never stands again, however young the last beat is: by then the
   * email may be another node's.
   */
  public SendPermit permit(long claimedAt) {
    return () -> isValid() && claimedAt - unbrokenSince >= 0;
  }
}
