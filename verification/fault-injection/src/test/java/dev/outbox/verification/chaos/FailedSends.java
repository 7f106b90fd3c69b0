package dev.outbox.verification.chaos;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Calls of {@code send} that ended with an error, as the nodes reported them. */
final class FailedSends {

  private final Queue<FailedSend> seen = new ConcurrentLinkedQueue<>();

  /**
   * One of them.
   *
   * @param node the run of the node
   * @param from when the call began
   * @param to when it failed
   * @param interrupted whether its thread was interrupted before or during the call
   * @param cause the reason of the {@code StoreException}, or the class of another exception
   */
  record FailedSend(String node, Instant from, Instant to, boolean interrupted, String cause) {}

  /** Returns the words that a node reports. */
  static String note(long millis, boolean interrupted, String cause) {
    return Order.FAILED + millis + " " + interrupted + " " + cause;
  }

  /** Adds what a node has just reported. */
  void add(String node, String note) {
    String[] words = note.substring(Order.FAILED.length()).split(" ", -1);
    Instant now = Instant.now();
    Duration length = Duration.ofMillis(Long.parseLong(words[0]));
    seen.add(
        new FailedSend(node, now.minus(length), now, Boolean.parseBoolean(words[1]), words[2]));
  }

  List<FailedSend> seen() {
    return List.copyOf(seen);
  }
}
