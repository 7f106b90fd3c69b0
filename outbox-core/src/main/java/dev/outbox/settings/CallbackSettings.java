package dev.outbox.settings;

import java.time.Duration;

/**
 * The retries of a callback whose receiver does not answer. No interval is longer than 365 days.
 *
 * @param maxRetries how often a call is repeated in one round; default 3
 * @param retryInterval the wait between two calls of a round, unless the host asks for more;
 *     default 5 s
 * @param rounds how many rounds before it is left to an operator; default 5
 * @param roundInterval the wait between two rounds; default 1 h
 */
public record CallbackSettings(
    int maxRetries, Duration retryInterval, int rounds, Duration roundInterval) {

  private static final Duration LONGEST = Duration.ofDays(365);

  /** Three retries 5 s apart, in five rounds an hour apart. */
  public static final CallbackSettings DEFAULT =
      new CallbackSettings(3, Duration.ofSeconds(5), 5, Duration.ofHours(1));

  /** Refuses what would never call, or never stop, and intervals out of range. */
  public CallbackSettings {
    if (maxRetries < 0 || rounds < 1) {
      throw new IllegalArgumentException(
          "maxRetries %d, rounds %d: want at least 0 and 1".formatted(maxRetries, rounds));
    }
    check("retryInterval", retryInterval);
    check("roundInterval", roundInterval);
  }

  private static void check(String name, Duration interval) {
    if (interval.isNegative() || interval.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "%s: want 0 to %d days, is %s".formatted(name, LONGEST.toDays(), interval));
    }
  }

  /** Returns the same with other repetitions in one round. */
  public CallbackSettings retries(int most, Duration interval) {
    return new CallbackSettings(most, interval, rounds, roundInterval);
  }

  /** Returns the same with other rounds. */
  public CallbackSettings rounds(int number, Duration interval) {
    return new CallbackSettings(maxRetries, retryInterval, number, interval);
  }
}
