package dev.outbox.internal.concurrent;

import java.time.Duration;

/**
 * Waits that an interrupt of the waiting thread does not shorten: a node that closes keeps its
 * grace time, because a delivery that is cut off may be made a second time.
 */
public final class UninterruptedWaits {

  private UninterruptedWaits() {}

  /** A wait of limited length. */
  public interface Wait {
    /** Waits for up to a time in nanoseconds, which may be zero; returns whether it succeeded. */
    boolean await(long nanos) throws InterruptedException;
  }

  /**
   * Waits up to a time of {@code System.nanoTime()}. The wait runs without an interrupt flag, and
   * again for the rest of the time if it is interrupted; the flag is set again afterwards.
   *
   * @return what the wait returned
   */
  public static boolean await(long end, Wait wait) {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return wait.await(Math.max(0, end - System.nanoTime()));
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Waits for a thread to end; if it has not within the time, interrupts it and goes on. */
  public static void join(Thread thread, Duration patience) {
    if (thread != Thread.currentThread() && !hasEnded(thread, patience)) {
      thread.interrupt();
      hasEnded(thread, Duration.ofSeconds(1));
    }
  }

  private static boolean hasEnded(Thread thread, Duration patience) {
    return await(
        System.nanoTime() + patience.toNanos(),
        nanos -> {
          // Rounded up: no earlier than the end, and zero would wait for ever.
          thread.join(nanos / 1_000_000 + 1);
          return !thread.isAlive();
        });
  }
}
