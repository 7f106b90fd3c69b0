package dev.outbox.verification.chaos;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Ordinary emails are delivered all the time, whatever else is stored. One fault stops one node, or
 * all of them for some seconds; a minute without any delivery has another cause.
 */
final class Progress implements Check {

  private static final Duration LONGEST = Duration.ofMinutes(1);

  private final int workers;

  /**
   * Creates the check.
   *
   * @param workers how many nodes send; a single one may be killed again and again
   */
  Progress(int workers) {
    this.workers = workers;
  }

  /** A time in which the relay received nothing. */
  record Gap(Instant from, Instant to) {
    Duration length() {
      return Duration.between(from, to);
    }
  }

  @Override
  public String promise() {
    return "ordinary emails are delivered while there are emails that cannot be";
  }

  @Override
  public List<String> broken(Evidence evidence) {
    return longest(evidence)
        .filter(gap -> workers > 1 && gap.length().compareTo(LONGEST) > 0)
        .map(gap -> List.of("nothing was delivered for %s: %s".formatted(gap.length(), gap)))
        .orElse(List.of());
  }

  /** Returns the longest time without a delivery, between the first one and the last fault. */
  static Optional<Gap> longest(Evidence evidence) {
    Optional<Instant> end = evidence.faults().stream().map(Happening::to).max(Instant::compareTo);
    if (end.isEmpty()) {
      return Optional.empty();
    }
    List<Instant> dots = evidence.received().stream().map(Reception::dot).sorted().toList();
    @Nullable Gap longest = null;
    for (int i = 0; i < dots.size() && dots.get(i).isBefore(end.get()); i++) {
      Instant next = i + 1 < dots.size() ? dots.get(i + 1) : end.get();
      Gap gap = new Gap(dots.get(i), next.isBefore(end.get()) ? next : end.get());
      if (longest == null || gap.length().compareTo(longest.length()) > 0) {
        longest = gap;
      }
    }
    return Optional.ofNullable(longest);
  }
}
