package dev.outbox.smtp;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that ends what takes too long and what is no longer used. A blocked write has no
 * timeout of its own, and a relay that sends a byte now and then never runs into one.
 */
final class TimeoutMonitor {

  private static final Logger log = LoggerFactory.getLogger(TimeoutMonitor.class);
  private static final Duration INTERVAL = Duration.ofMillis(250);

  private final Runnable round;
  private boolean started;
  private volatile boolean stopped;

  TimeoutMonitor(Runnable round) {
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
      try {
        round.run();
      } catch (Throwable e) {
        // Without it, a delivery could wait for ever.
        log.error(
            "watching the connections failed, the thread continues: {}", e.getClass().getName());
      }
    }
  }

  void stop() {
    stopped = true;
  }
}
