package dev.outbox.retry;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Waits that double up to a cap, each drawn at random. */
final class ExponentialBackoff implements RetryPolicy {

  private final long first;
  private final long max;
  private final int maxAttempts;
  private final RandomGenerator random;

  ExponentialBackoff(Duration first, Duration max, int maxAttempts, RandomGenerator random) {
    if (first.compareTo(Duration.ofMillis(1)) < 0) {
      throw new IllegalArgumentException("first must be at least 1 ms, not " + first);
    }
    if (max.compareTo(first) < 0 || max.compareTo(DelayFormat.LONGEST) > 0) {
      throw new IllegalArgumentException(
          "max must be between first (" + first + ") and 365 days, not " + max);
    }
    if (maxAttempts < 1 || maxAttempts > FixedDelays.MOST_ATTEMPTS) {
      throw new IllegalArgumentException(
          "maxAttempts must be 1 to " + FixedDelays.MOST_ATTEMPTS + ", not " + maxAttempts);
    }
    this.first = first.toMillis();
    this.max = max.toMillis();
    this.maxAttempts = maxAttempts;
    this.random = random;
  }

  @Override
  public Optional<Duration> delayAfter(int attempts) {
    FixedDelays.requireMade(attempts);
    if (attempts >= maxAttempts) {
      return Optional.empty();
    }
    long shortest = Math.max(1, first / 2);
    return Optional.of(Duration.ofMillis(random.nextLong(shortest, longestAfter(attempts) + 1)));
  }

  private long longestAfter(int attempts) {
    int doublings = attempts - 1;
    // compared by division, so that nothing overflows
    boolean capped = doublings >= Long.SIZE - 1 || first > max >> doublings;
    return capped ? max : first << doublings;
  }

  @Override
  public int maxAttempts() {
    return maxAttempts;
  }

  @Override
  public String toString() {
    return "exponential from "
        + DelayFormat.of(Duration.ofMillis(first))
        + " to "
        + DelayFormat.of(Duration.ofMillis(max))
        + ", "
        + maxAttempts
        + " attempts";
  }
}
