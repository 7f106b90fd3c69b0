package dev.outbox.internal.node;

import dev.outbox.email.NodeId;
import dev.outbox.store.NodeHeartbeat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Watches the counters of other nodes, and finds those that have stood still for a whole lease.
 *
 * <p>Only time that was really watched counts: whoever looks says so when a look failed, or when it
 * may itself have been frozen, and every watch starts anew. Used by one thread at a time.
 */
public final class DeadNodeDetector {

  private final NodeId self;
  private final long lease;
  private final Map<NodeId, Observation> seen = new HashMap<>();

  private record Observation(long beat, long since) {}

  public DeadNodeDetector(NodeId self, Duration lease) {
    this.self = self;
    this.lease = lease.toNanos();
  }

  /**
   * Compares all counters with those seen before, and returns those that have not changed for a
   * lease.
   *
   * @param beats the counters
   * @param before when the call began that read them: a counter was unchanged until then
   * @param after when that call ended: a new counter is seen from then on
   */
  public List<NodeHeartbeat> observe(List<NodeHeartbeat> beats, long before, long after) {
    seen.keySet().retainAll(beats.stream().map(NodeHeartbeat::node).toList());
    List<NodeHeartbeat> dead = new ArrayList<>();
    for (NodeHeartbeat each : beats) {
      Observation last = seen.get(each.node());
      if (last == null || last.beat() != each.beat()) {
        seen.put(each.node(), new Observation(each.beat(), after));
      } else if (before - last.since() >= lease && !each.node().equals(self)) {
        dead.add(each);
      }
    }
    return dead;
  }

  /** Forgets all that was watched. */
  public void resetObservations() {
    seen.clear();
  }
}
