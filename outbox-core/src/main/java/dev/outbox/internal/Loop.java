package dev.outbox.internal;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that does one thing again and again until it is stopped, and survives what it meets. */
final class Loop implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(Loop.class);

  private final Runnable work;
  private final Duration interval;
  private final Signal stop = new Signal();
  private volatile boolean stopping;

  Loop(Runnable work, Duration interval) {
    this.work = work;
    this.interval = interval;
  }

  boolean isStopping() {
    return stopping;
  }

  void stop() {
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
        Failures.logSafely(() -> log.debug("a background task was interrupted"));
      }
    }
  }

  private void once() {
    try {
      work.run();
    } catch (Throwable e) {
      Failures.logSafely(
          () -> log.error("a background task failed, going on: {}", Failures.describe(e)));
    }
  }
}
