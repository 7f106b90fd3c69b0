package dev.outbox.internal.concurrent;

import java.time.Duration;

/**
 * A wake-up for one waiting thread. However often it is raised before somebody waits, that is one
 * wake-up. Safe for many threads.
 */
public final class WakeSignal {

  private boolean raised;

  /** Wakes the waiting thread, or lets its next wait end at once. */
  public synchronized void raise() {
    raised = true;
    notifyAll();
  }

  /** Waits until it is raised or the time is over, and lowers it; returns whether it was raised. */
  public synchronized boolean await(Duration patience) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    while (!raised) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      // Rounded up: wait(0) would be for ever.
      wait(left / 1_000_000 + 1);
    }
    raised = false;
    return true;
  }
}
