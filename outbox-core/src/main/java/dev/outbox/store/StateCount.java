package dev.outbox.store;

import java.time.Duration;

/**
 * How many emails are in a state, and for how long. Counting looks at {@link #EXACT_UP_TO} of them
 * at most, so that asking stays cheap; from there on all three are lower bounds.
 *
 * @param count how many
 * @param oldest how long ago the oldest was stored
 * @param overdue how long the longest-waiting could have been claimed already; zero if none could
 */
public record StateCount(int count, Duration oldest, Duration overdue) {

  /** The number of emails up to which all figures are exact. */
  public static final int EXACT_UP_TO = 10_000;

  /** Returns whether the figures are lower bounds. */
  public boolean isBound() {
    return count >= EXACT_UP_TO;
  }
}
