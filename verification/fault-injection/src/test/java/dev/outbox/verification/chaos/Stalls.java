package dev.outbox.verification.chaos;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Times in which a process, or the director itself, did not run though nobody had stopped it. */
final class Stalls {

  private final Queue<Stall> seen = new ConcurrentLinkedQueue<>();

  /**
   * A time without any progress.
   *
   * @param node which run of a node; null for the director, and with it the whole machine
   */
  record Stall(@Nullable String node, Instant from, Instant to) {

    boolean concerns(String run) {
      return node == null || node.equals(run);
    }

    boolean overlaps(Instant begin, Instant end) {
      return !from.isAfter(end) && !to.isBefore(begin);
    }
  }

  /** Adds what a node has just reported. */
  void add(String node, String note) {
    add(node, Duration.ofMillis(Long.parseLong(note.substring(Order.STALLED.length()))));
  }

  /** Notes what has just ended. */
  void add(@Nullable String node, Duration length) {
    Instant now = Instant.now();
    seen.add(new Stall(node, now.minus(length), now));
  }

  List<Stall> seen() {
    return List.copyOf(seen);
  }
}
