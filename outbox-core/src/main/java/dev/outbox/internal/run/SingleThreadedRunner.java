package dev.outbox.internal.run;

import dev.outbox.internal.concurrent.UninterruptedWaits;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs passes on the threads of their callers, one at a time, so that another thread can end the
 * one that runs. Safe for many threads.
 */
public final class SingleThreadedRunner {

  private static final Duration SOCKET_PATIENCE = Duration.ofSeconds(5);

  private final ReentrantLock turn = new ReentrantLock();
  private @Nullable Thread runner;
  private boolean interrupted;

  /** Runs a pass when no other runs. */
  public int run(IntSupplier pass) {
    turn.lock();
    try {
      setRunner(Thread.currentThread());
      return pass.getAsInt();
    } finally {
      if (turn.getHoldCount() == 1) {
        setRunner(null);
      }
      turn.unlock();
    }
  }

  /**
   * Ends a pass that was asked to stop: it may go on for a grace time; then this closes its
   * connections, and at last interrupts it.
   */
  public void end(Duration grace, Runnable closeConnections) {
    boolean ended = awaitEnd(grace);
    closeConnections.run();
    if (!ended && !awaitEnd(SOCKET_PATIENCE)) {
      interrupt();
      awaitEnd(SOCKET_PATIENCE);
    }
  }

  private boolean awaitEnd(Duration patience) {
    return UninterruptedWaits.await(
        System.nanoTime() + patience.toNanos(),
        nanos -> {
          boolean ended = turn.tryLock(nanos, TimeUnit.NANOSECONDS);
          if (ended) {
            turn.unlock();
          }
          return ended;
        });
  }

  private synchronized void setRunner(@Nullable Thread thread) {
    runner = thread;
    if (thread == null && interrupted) {
      // The interrupt was for the pass, and the caller goes on with other work.
      interrupted = false;
      Thread.interrupted();
    }
  }

  private synchronized void interrupt() {
    if (runner != null) {
      interrupted = true;
      runner.interrupt();
    }
  }
}
