package dev.outbox.mysql;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Waits between the tries of one call: 8 tries, full jitter, from 30 ms up to a second. */
final class StoreRetry {

  static final int TRIES = 8;

  private static final long BASE_MILLIS = 30;
  private static final long MAX_MILLIS = 1_000;

  private StoreRetry() {}

  /**
   * Waits before the next try.
   *
   * @param tries how many there were
   * @return whether there is to be another: not after the last, nor on a thread that is to stop
   */
  static boolean pause(int tries) {
    if (tries >= TRIES) {
      return false;
    }
    try {
      Thread.sleep(ThreadLocalRandom.current().nextLong(longest(tries).toMillis() + 1));
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Returns the longest wait after so many tries. */
  static Duration longest(int tries) {
    return Duration.ofMillis(Math.min(MAX_MILLIS, BASE_MILLIS << Math.min(tries - 1, 10)));
  }
}
