package dev.outbox.retry;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofNanos;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class ExponentialBackoffTest {

  /** Draws the lowest or the highest number that was asked for. */
  private record Extreme(boolean highest) implements RandomGenerator {
    @Override
    public long nextLong() {
      throw new UnsupportedOperationException();
    }

    @Override
    public long nextLong(long origin, long bound) {
      return highest ? bound - 1 : origin;
    }
  }

  private static Duration longest(Duration first, Duration max, int attempts) {
    return RetryPolicy.exponential(first, max, 1000, new Extreme(true))
        .delayAfter(attempts)
        .orElseThrow();
  }

  @Test
  void theLongestWaitDoublesUpToTheCap() {
    assertThat(longest(ofMinutes(1), ofMinutes(10), 1)).isEqualTo(ofMinutes(1));
    assertThat(longest(ofMinutes(1), ofMinutes(10), 2)).isEqualTo(ofMinutes(2));
    assertThat(longest(ofMinutes(1), ofMinutes(10), 4)).isEqualTo(ofMinutes(8));
    assertThat(longest(ofMinutes(1), ofMinutes(10), 5)).isEqualTo(ofMinutes(10));
    assertThat(longest(ofMinutes(1), ofMinutes(8), 4)).isEqualTo(ofMinutes(8));
  }

  @Test
  void nothingOverflowsAfterManyAttempts() {
    for (int attempts = 30; attempts < 1000; attempts++) {
      assertThat(longest(ofSeconds(3), ofDays(365), attempts)).isEqualTo(ofDays(365));
    }
  }

  @Test
  void theShortestWaitIsHalfTheFirst() {
    RetryPolicy policy =
        RetryPolicy.exponential(ofMinutes(1), ofMinutes(10), 10, new Extreme(false));

    assertThat(policy.delayAfter(1)).contains(ofSeconds(30));
    assertThat(policy.delayAfter(9)).contains(ofSeconds(30));
    assertThat(
            RetryPolicy.exponential(ofMillis(1), ofMillis(1), 2, new Extreme(false)).delayAfter(1))
        .contains(ofMillis(1));
  }

  @Test
  void theWaitsAreSpreadOverTheWholeRange() {
    RetryPolicy policy = RetryPolicy.exponential(ofMillis(4), ofMillis(8), 10, new Random(1));
    Set<Long> seen = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      seen.add(policy.delayAfter(2).orElseThrow().toMillis());
    }

    assertThat(seen).containsExactlyInAnyOrder(2L, 3L, 4L, 5L, 6L, 7L, 8L);
  }

  @Test
  void withoutAGeneratorTheWaitsStillDiffer() {
    RetryPolicy policy = RetryPolicy.exponential(ofDays(1), ofDays(2), 3);
    Set<Duration> seen = new HashSet<>();
    for (int i = 0; i < 20; i++) {
      seen.add(policy.delayAfter(1).orElseThrow());
    }

    assertThat(seen).hasSizeGreaterThan(1);
  }

  @Test
  void theLastAttemptGivesUp() {
    RetryPolicy policy = RetryPolicy.exponential(ofSeconds(1), ofSeconds(9), 3);

    assertThat(policy.maxAttempts()).isEqualTo(3);
    assertThat(policy.delayAfter(2)).isPresent();
    assertThat(policy.delayAfter(3)).isEmpty();
    assertThat(policy.delayAfter(4)).isEmpty();
  }

  @Test
  void aPolicySaysWhatItIs() {
    assertThat(RetryPolicy.exponential(ofSeconds(30), ofMinutes(60), 5))
        .hasToString("exponential from 30s to 1h, 5 attempts");
  }

  @Test
  void whatCannotWorkIsRefused() {
    assertThatThrownBy(() -> RetryPolicy.exponential(ofNanos(1), ofSeconds(1), 3))
        .hasMessage("first must be at least 1 ms, not PT0.000000001S");
    assertThatThrownBy(() -> RetryPolicy.exponential(ofSeconds(-1), ofSeconds(1), 3))
        .hasMessageStartingWith("first must be");
    assertThatThrownBy(() -> RetryPolicy.exponential(ofSeconds(2), ofSeconds(1), 3))
        .hasMessageStartingWith("max must be between first (PT2S) and 365 days");
    assertThatThrownBy(() -> RetryPolicy.exponential(ofSeconds(2), ofSeconds(Long.MAX_VALUE), 3))
        .hasMessageStartingWith("max must be");
    assertThatThrownBy(() -> RetryPolicy.exponential(ofSeconds(1), ofSeconds(1), 0))
        .hasMessage("maxAttempts must be 1 to 1000, not 0");
    assertThatThrownBy(() -> RetryPolicy.exponential(ofSeconds(1), ofSeconds(1), 1001))
        .hasMessageStartingWith("maxAttempts must be");
  }
}
