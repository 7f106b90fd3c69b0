package dev.outbox.testkit;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A node as it may be listed. What a counter is says nothing, only whether it moves; so a store may
 * keep the counter of a node that retires, or begin anew if the node comes back. A node that has
 * given back all it held without ever having beaten may stay listed until it retires.
 */
final class ModelNode {

  private Set<Long> counters = Set.of(0L);
  private boolean beats;
  private boolean forgotten = true;

  /** Returns what its counter may be, if it is listed. */
  Set<Long> counters() {
    return counters;
  }

  /** Returns whether it has beaten, and has not retired since: then it is listed. */
  boolean beats() {
    return beats;
  }

  /** Returns whether it has retired for good: then it is not listed. */
  boolean isForgotten() {
    return forgotten;
  }

  void beat() {
    counters = counters.stream().map(counter -> counter + 1).collect(Collectors.toSet());
    beats = true;
    forgotten = false;
  }

  void claim() {
    forgotten = false;
  }

  void seen(long counter) {
    counters = Set.of(counter);
  }

  void retire(boolean holds) {
    counters = Stream.concat(counters.stream(), Stream.of(0L)).collect(Collectors.toSet());
    beats = false;
    forgotten = !holds;
  }
}
