package dev.outbox.verification.chaos;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What went wrong in fact, and what of the schedule found nobody to happen to. */
final class FaultLog {

  private final Queue<Happening> happened = new ConcurrentLinkedQueue<>();
  private final Queue<Fault> missed = new ConcurrentLinkedQueue<>();
  private final Map<FaultKind, Integer> counts = new ConcurrentHashMap<>();

  void add(FaultKind kind, @Nullable String node, Instant from) {
    happened.add(new Happening(kind, node, from, Instant.now()));
  }

  /** Adds how many single events a fault consisted of. */
  void count(FaultKind kind, int number) {
    counts.merge(kind, number, Integer::sum);
  }

  /** Returns how many single events the faults of a kind consisted of; zero if not counted. */
  int count(FaultKind kind) {
    return counts.getOrDefault(kind, 0);
  }

  void missed(Fault fault) {
    missed.add(fault);
  }

  List<Happening> happened() {
    return List.copyOf(happened);
  }

  int missed() {
    return missed.size();
  }

  Map<FaultKind, Long> byKind() {
    return happened.stream()
        .collect(Collectors.groupingBy(Happening::kind, TreeMap::new, Collectors.counting()));
  }
}
