package dev.outbox.testkit;

import java.time.Duration;

/**
 * A time in the random life of a store. Real time passes too, a little with each step; so what
 * happened later is later, and what happened in one step may be in any order.
 *
 * @param moved how far time was moved on by then
 * @param step the step from which it counts; below zero for a time that the caller gave
 */
record Moment(Duration moved, int step) implements Comparable<Moment> {

  Moment plus(Duration time) {
    return new Moment(moved.plus(time), step);
  }

  boolean isReachedBy(Moment now) {
    return compareTo(now) <= 0;
  }

  @Override
  public int compareTo(Moment other) {
    int byTime = moved.compareTo(other.moved);
    return byTime != 0 ? byTime : Integer.compare(step, other.step);
  }
}
