package dev.outbox.dynamodb;

import dev.outbox.email.NodeId;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The nodes that beat no longer, and which of them hold something all the same. A day of redeploys
 * leaves hundreds of them, and a heartbeat that asked about each would take longer with each, until
 * no lease is sure. So a few are asked about at a time, whoever has waited longest, and those that
 * held something the last time. Safe for many threads.
 */
final class RetiredNodeScan {

  /** How many are asked about at a time, besides those that hold something. */
  static final int AT_ONCE = 4;

  private final Predicate<NodeId> holds;
  private final Map<NodeId, QueryResult> looks = new ConcurrentHashMap<>();
  private final AtomicLong count = new AtomicLong();

  /** What was seen, and how many looks there had been before. */
  private record QueryResult(boolean holds, long number) {}

  RetiredNodeScan(Predicate<NodeId> holds) {
    this.holds = holds;
  }

  /** Returns those that hold something, as far as is known. */
  Set<NodeId> holding(Set<NodeId> retired) {
    looks.keySet().retainAll(retired);
    List<NodeId> next =
        retired.stream()
            .filter(node -> !isHolder(node))
            .sorted(Comparator.comparingLong(this::lastLook))
            .limit(AT_ONCE)
            .toList();
    retired.stream().filter(this::isHolder).forEach(this::query);
    next.forEach(this::query);
    return retired.stream().filter(this::isHolder).collect(Collectors.toSet());
  }

  private void query(NodeId node) {
    looks.put(node, new QueryResult(holds.test(node), count.incrementAndGet()));
  }

  private boolean isHolder(NodeId node) {
    QueryResult last = looks.get(node);
    return last != null && last.holds;
  }

  private long lastLook(NodeId node) {
    QueryResult last = looks.get(node);
    return last == null ? 0 : last.number;
  }
}
