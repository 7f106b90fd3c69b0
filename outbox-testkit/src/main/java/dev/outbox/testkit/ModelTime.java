package dev.outbox.testkit;

import java.time.Duration;

/**
 * A time in the random life of a store. Real time passes too, a little with each step; so what
 * happened later is later, and what happened in one step may be in any order.
 *
 * @param moved how far time was moved on by then
 * @param step the step from which it counts; below zero for a time that the caller gave
 */
record ModelTime(Duration moved, int step) implements Comparable<ModelTime> {

  ModelTime plus(Duration time) {
    return new ModelTime(moved.plus(time), step);
  }

  boolean isReachedBy(ModelTime now) {
    return compareTo(now) <= 0;
  }

  @Override
  public int compareTo(ModelTime other) {
    int byTime = moved.compareTo(other.moved);
    return byTime != 0 ? byTime : Integer.compare(step, other.step);
  }
}
