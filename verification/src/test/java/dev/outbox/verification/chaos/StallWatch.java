package dev.outbox.verification.chaos;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Notices when this process did not run, so that the library is not blamed for a machine that has
 * too much to do.
 */
final class StallWatch implements AutoCloseable {

  /** Half a lease without a beat, and a node holds its breath. */
  static final Duration NOTEWORTHY = NodeMain.LEASE.length().dividedBy(2);

  private static final long LOOK_MILLIS = 100;

  private final CountDownLatch closed = new CountDownLatch(1);
  private final Consumer<Duration> listener;

  StallWatch(Consumer<Duration> listener) {
    this.listener = listener;
  }

  StallWatch start() {
    Thread thread = new Thread(this::watch, "stalls");
    thread.setDaemon(true);
    thread.start();
    return this;
  }

  private void watch() {
    try {
      long last = System.nanoTime();
      while (!closed.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        long now = System.nanoTime();
        Duration gap = Duration.ofNanos(now - last);
        if (gap.compareTo(NOTEWORTHY) > 0) {
          listener.accept(gap);
        }
        last = now;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
