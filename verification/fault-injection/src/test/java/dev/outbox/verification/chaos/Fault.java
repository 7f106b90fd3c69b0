package dev.outbox.verification.chaos;

import java.time.Duration;

/**
 * Something that is to go wrong.
 *
 * @param at how long after the start
 * @param kind what
 * @param target which of the nodes it can happen to
 * @param length for how long
 * @param choice what else there is to choose, a number of the kind's own
 */
record Fault(Duration at, FaultKind kind, int target, Duration length, int choice) {

  @Override
  public String toString() {
    return "%7.1f s  %-14s target %d, %.1f s, choice %d"
        .formatted(at.toMillis() / 1e3, kind, target, length.toMillis() / 1e3, choice);
  }
}
