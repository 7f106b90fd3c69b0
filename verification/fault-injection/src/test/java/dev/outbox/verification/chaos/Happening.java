package dev.outbox.verification.chaos;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A fault as it came about.
 *
 * @param kind what went wrong
 * @param node the run of a node that it happened to, or null if it was nobody's in particular
 * @param from when it began
 * @param to when it ended; for a kill the moment of it
 */
record Happening(FaultKind kind, @Nullable String node, Instant from, Instant to) {

  boolean isOf(String run) {
    return run.equals(node);
  }

  boolean overlaps(Instant begin, Instant end) {
    return !from.isAfter(end) && !to.isBefore(begin);
  }

  Duration length() {
    return Duration.between(from, to);
  }
}
