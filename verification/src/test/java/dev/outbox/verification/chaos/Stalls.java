package dev.outbox.verification.chaos;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Notices when the whole machine stood still, so that nodes are not blamed for it. */
final class Stalls implements AutoCloseable {

  private static final Duration NOTEWORTHY = NodeMain.LEASE.length().dividedBy(3);

  private final CountDownLatch closed = new CountDownLatch(1);
  private final Queue<Stall> seen = new ConcurrentLinkedQueue<>();

  /** A time in which even the director did not run. */
  record Stall(Instant from, Instant to) {}

  Stalls() {
    Thread thread = new Thread(this::watch, "stalls");
    thread.setDaemon(true);
    thread.start();
  }

  private void watch() {
    try {
      Instant last = Instant.now();
      while (!closed.await(100, TimeUnit.MILLISECONDS)) {
        Instant now = Instant.now();
        if (Duration.between(last, now).compareTo(NOTEWORTHY) > 0) {
          seen.add(new Stall(last, now));
        }
        last = now;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  List<Stall> seen() {
    return List.copyOf(seen);
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
