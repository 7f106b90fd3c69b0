package dev.outbox.internal;

import dev.outbox.email.NodeId;
import dev.outbox.store.NodeBeat;
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
final class NodeWatch {

  private final NodeId self;
  private final long lease;
  private final Map<NodeId, Seen> seen = new HashMap<>();

  private record Seen(long beat, long since) {}

  NodeWatch(NodeId self, Duration lease) {
    this.self = self;
    this.lease = lease.toNanos();
  }

  /** Looks at all counters, and returns those of the dead. */
  List<NodeBeat> look(List<NodeBeat> beats, long now) {
    seen.keySet().retainAll(beats.stream().map(NodeBeat::node).toList());
    List<NodeBeat> dead = new ArrayList<>();
    for (NodeBeat each : beats) {
      Seen before = seen.get(each.node());
      if (before == null || before.beat() != each.beat()) {
        seen.put(each.node(), new Seen(each.beat(), now));
      } else if (now - before.since() >= lease && !each.node().equals(self)) {
        dead.add(each);
      }
    }
    return dead;
  }

  /** Forgets all that was watched. */
  void blind() {
    seen.clear();
  }
}
