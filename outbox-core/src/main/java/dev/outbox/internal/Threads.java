package dev.outbox.internal;

import java.time.Duration;

/** Waiting for threads to end, in the one way that is needed here. */
final class Threads {

  private Threads() {}

  /** Waits for a thread to end; if it has not within the time, interrupts it and goes on. */
  static void join(Thread thread, Duration patience) {
    if (thread == Thread.currentThread()) {
      return;
    }
    boolean interrupted = false;
    try {
      thread.join(Math.max(1, patience.toMillis()));
      if (thread.isAlive()) {
        thread.interrupt();
        thread.join(1_000);
      }
    } catch (InterruptedException e) {
      interrupted = true;
      thread.interrupt();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
