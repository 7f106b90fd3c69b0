package dev.outbox.smtp;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread that ends what takes too long and what is no longer used. A blocked write has no
 * timeout of its own, and a relay that sends a byte now and then never runs into one.
 */
final class Watchdog {

  private static final Duration INTERVAL = Duration.ofMillis(250);

  private final Runnable round;
  private boolean started;
  private volatile boolean stopped;

  Watchdog(Runnable round) {
    this.round = round;
  }

  /** Starts it when the first connection is made; a transport that sends nothing needs none. */
  synchronized void start() {
    if (!started) {
      started = true;
      Thread thread = new Thread(this::watch, "outbox-smtp-watchdog");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void watch() {
    while (!stopped) {
      LockSupport.parkNanos(INTERVAL.toNanos());
      round.run();
    }
  }

  void stop() {
    stopped = true;
  }
}
