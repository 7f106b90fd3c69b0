package dev.outbox.internal.concurrent;

import dev.outbox.internal.logging.ErrorSummary;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that does one thing again and again until it is stopped, and survives what it meets. */
public final class BackgroundLoop implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(BackgroundLoop.class);

  private final Runnable work;
  private final Duration interval;
  private final WakeSignal stop = new WakeSignal();
  private volatile boolean stopping;

  public BackgroundLoop(Runnable work, Duration interval) {
    this.work = work;
    this.interval = interval;
  }

  /** Returns whether {@link #stop} was called. */
  public boolean isStopping() {
    return stopping;
  }

  /** Ends the loop after its present run. */
  public void stop() {
    stopping = true;
    stop.raise();
  }

  @Override
  public void run() {
    while (!stopping) {
      try {
        once();
        stop.await(interval);
      } catch (InterruptedException e) {
        // Only stop() ends this thread; an interrupt that was meant for a call is over with it.
        ErrorSummary.logSafely(() -> log.debug("a background task was interrupted"));
      }
    }
  }

  private void once() {
    try {
      work.run();
    } catch (Throwable e) {
      ErrorSummary.logSafely(
          () ->
              log.error(
                  "a background task failed, the thread continues: {}", ErrorSummary.describe(e)));
    }
  }
}
