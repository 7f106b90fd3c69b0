package dev.outbox.internal;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the store is out of reach. While it is, the node claims, sends and reaps nothing; it ends
 * once a beat was answered and every kept result is recorded. Safe for many threads.
 */
final class Outage {

  private static final Logger log = LoggerFactory.getLogger(Outage.class);

  private final AtomicBoolean on = new AtomicBoolean();
  private final AtomicInteger count = new AtomicInteger();

  boolean isOn() {
    return on.get();
  }

  /** Returns how many there have been. */
  int count() {
    return count.get();
  }

  /** Begins; a store that throws what it should not is no better than one that is away. */
  void begin(Throwable cause) {
    if (on.compareAndSet(false, true)) {
      count.incrementAndGet();
      log.error("the store is out of reach, pausing: {}", Failures.describe(cause));
    } else {
      log.debug("the store is still out of reach");
    }
  }

  void end() {
    if (on.compareAndSet(true, false)) {
      log.error("the store is back, going on");
    }
  }
}
