package dev.outbox.internal;

import dev.outbox.email.NodeId;
import dev.outbox.store.NodeBeat;
import dev.outbox.store.OutboxStore;
import dev.outbox.transport.SendPermit;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * A node's own lease: it is sure for half its length after the last beat that the store answered,
 * by this process's monotonic clock. Safe for many threads.
 */
final class Lease implements SendPermit {

  private final NodeId node;
  private final OutboxStore store;
  private final LongSupplier nanos;
  private final long sureFor;
  private volatile long lastBeat;
  private volatile boolean beaten;

  Lease(NodeId node, OutboxStore store, LongSupplier nanos, Duration length) {
    this.node = node;
    this.store = store;
    this.nanos = nanos;
    this.sureFor = length.toNanos() / 2;
  }

  NodeId node() {
    return node;
  }

  /** Beats, and returns the counters of all nodes. */
  List<NodeBeat> beat() {
    // The time before the call counts: others see the beat at some moment after it.
    long before = nanos.getAsLong();
    List<NodeBeat> beats = store.beat(node);
    lastBeat = before;
    beaten = true;
    return beats;
  }

  @Override
  public boolean stands() {
    return beaten && nanos.getAsLong() - lastBeat < sureFor;
  }
}
