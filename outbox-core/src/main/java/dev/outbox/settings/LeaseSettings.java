package dev.outbox.settings;

import java.time.Duration;

/**
 * How nodes notice that one of them is dead.
 *
 * @param heartbeatInterval how often a node says that it lives; default 2 s
 * @param leaseDuration how long it may be silent before others take its emails; default 15 s, and
 *     at least four beats and at most one day
 */
public record LeaseSettings(Duration heartbeatInterval, Duration leaseDuration) {

  private static final Duration LONGEST = Duration.ofDays(1);

  /** A beat every 2 s, a lease of 15 s. */
  public static final LeaseSettings DEFAULT =
      new LeaseSettings(Duration.ofSeconds(2), Duration.ofSeconds(15));

  /** Refuses a lease that one late beat would end, and one of more than a day. */
  public LeaseSettings {
    if (heartbeatInterval.isZero() || heartbeatInterval.isNegative()) {
      throw new IllegalArgumentException(
          "heartbeatInterval: must be positive, is " + heartbeatInterval);
    }
    atMostADay("heartbeatInterval", heartbeatInterval);
    atMostADay("leaseDuration", leaseDuration);
    if (leaseDuration.compareTo(heartbeatInterval.multipliedBy(4)) < 0) {
      throw new IllegalArgumentException(
          "leaseDuration: must be at least four heartbeat intervals of %s, is %s"
              .formatted(heartbeatInterval, leaseDuration));
    }
  }

  private static void atMostADay(String name, Duration value) {
    if (value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(name + ": must be at most one day, is " + value);
    }
  }
}
