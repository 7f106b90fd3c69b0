package dev.outbox.settings;

import java.time.Duration;

/**
 * How nodes notice that one of them is dead.
 *
 * @param beat how often a node says that it lives; default 2 s
 * @param length how long it may be silent before others take its emails; default 15 s, and at least
 *     four beats and at most one day
 */
public record LeaseSettings(Duration beat, Duration length) {

  private static final Duration LONGEST = Duration.ofDays(1);

  /** A beat every 2 s, a lease of 15 s. */
  public static final LeaseSettings DEFAULT =
      new LeaseSettings(Duration.ofSeconds(2), Duration.ofSeconds(15));

  /** Refuses a lease that one late beat would end, and one of more than a day. */
  public LeaseSettings {
    if (beat.isZero() || beat.isNegative()) {
      throw new IllegalArgumentException("beat: must be positive, is " + beat);
    }
    atMostADay("beat", beat);
    atMostADay("length", length);
    if (length.compareTo(beat.multipliedBy(4)) < 0) {
      throw new IllegalArgumentException(
          "length: must be at least four beats of %s, is %s".formatted(beat, length));
    }
  }

  private static void atMostADay(String name, Duration value) {
    if (value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(name + ": must be at most one day, is " + value);
    }
  }
}
