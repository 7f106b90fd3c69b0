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

  private static final long LOOK_MILLIS = 100;

  private final CountDownLatch closed = new CountDownLatch(1);
  private final Duration noteworthy;
  private final Consumer<Duration> listener;

  StallWatch(Times times, Consumer<Duration> listener) {
    this.noteworthy = times.noteworthyStall();
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
        if (gap.compareTo(noteworthy) > 0) {
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
