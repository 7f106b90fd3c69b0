package dev.outbox.settings;

import java.time.Duration;

/**
 * How nodes notice that one of them is dead.
 *
 * @param beat how often a node says that it lives; default 2 s
 * @param length how long it may be silent before others take its emails; default 15 s, and at least
 *     four beats
 */
public record LeaseSettings(Duration beat, Duration length) {

  /** A beat every 2 s, a lease of 15 s. */
  public static final LeaseSettings DEFAULT =
      new LeaseSettings(Duration.ofSeconds(2), Duration.ofSeconds(15));

  /** Refuses a lease that one late beat would end. */
  public LeaseSettings {
    if (beat.isZero() || beat.isNegative()) {
      throw new IllegalArgumentException("beat: must be positive, is " + beat);
    }
    if (length.compareTo(beat.multipliedBy(4)) < 0) {
      throw new IllegalArgumentException(
          "length: must be at least four beats of %s, is %s".formatted(beat, length));
    }
  }
}
