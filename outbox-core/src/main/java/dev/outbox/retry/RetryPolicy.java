package dev.outbox.retry;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the next attempt, and when to give up.
 *
 * <p>A policy is asked by many threads at once and must be safe for that; the ones made here are,
 * and they hold no state.
 */
public interface RetryPolicy {

  /**
   * Returns the wait before the next attempt.
   *
   * @param attempts the attempts made so far, the failed one included; at least 1
   * @return the wait, or empty to give up; always empty from {@link #maxAttempts} on
   * @throws IllegalArgumentException if attempts is less than 1
   */
  Optional<Duration> delayAfter(int attempts);

  /**
   * Returns how many attempts are made in all, the first one included.
   *
   * @return at least 1
   */
  int maxAttempts();

  /**
   * Returns the default for email: {@code 1m,5m,15m,1h,2h,4h,8h,12h}, that is 9 attempts within 27
   * hours and 21 minutes.
   *
   * <p>The early attempts get past greylisting, the late ones past a mailbox that is full for a
   * night. The end lies well before the 3 days after which an email expires.
   *
   * @return a {@linkplain #schedule schedule}
   */
  static RetryPolicy standard() {
    return FixedDelays.STANDARD;
  }

  /**
   * Returns the policy of a single attempt.
   *
   * @return a policy that always gives up
   */
  static RetryPolicy never() {
    return FixedDelays.NEVER;
  }

  /**
   * Returns a policy with exactly these waits, without jitter.
   *
   * <p>Entries are separated by commas; an entry is a whole number with one of the units {@code
   * ms}, {@code s}, {@code m}, {@code h}, {@code d}, and {@code *3} repeats it: {@code
   * 1m,5m*2,1h*3} are six waits, hence seven attempts. Spaces around an entry don't matter. {@code
   * toString} of the policy gives the text back in its shortest form.
   *
   * @param text such as {@code 1m,5m*2,1h*3}
   * @return the policy
   * @throws IllegalArgumentException if an entry is not of that form, is zero or more than 365
   *     days, or there are more than 1000 attempts; the text names the entry and its position
   */
  static RetryPolicy schedule(String text) {
    return RetryScheduleParser.parse(text);
  }

  /**
   * Returns a policy whose waits double and are spread at random (<i>full jitter</i>), so that what
   * failed together does not come back together.
   *
   * <p>The wait after attempt n lies anywhere between {@code first / 2} and {@code first *
   * 2}<sup>n-1</sup>, the latter no more than {@code max}. The lower end is not zero because a
   * server that has just said <i>later</i> says it again a moment later.
   *
   * @param first the longest wait after the first attempt, at least 1 ms
   * @param max the longest wait of all, at least {@code first} and at most 365 days
   * @param maxAttempts how many attempts in all, 1 to 1000
   * @return the policy
   * @throws IllegalArgumentException if an argument is out of its range
   */
  static RetryPolicy exponential(Duration first, Duration max, int maxAttempts) {
    return exponential(first, max, maxAttempts, () -> ThreadLocalRandom.current().nextLong());
  }

  /**
   * Returns the policy of {@link #exponential(Duration, Duration, int)} with the caller's
   * randomness.
   *
   * @param first the longest wait after the first attempt, at least 1 ms
   * @param max the longest wait of all, at least {@code first} and at most 365 days
   * @param maxAttempts how many attempts in all, 1 to 1000
   * @param random what draws the waits; must be safe for use by several threads
   * @return the policy
   * @throws IllegalArgumentException if an argument is out of its range
   */
  static RetryPolicy exponential(
      Duration first, Duration max, int maxAttempts, RandomGenerator random) {
    return new ExponentialBackoff(first, max, maxAttempts, random);
  }
}
