package dev.outbox.internal;

import dev.outbox.store.StoreException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the store is out of reach. While it is, the node claims, sends and reaps nothing; it ends
 * once a beat was answered and every kept result is recorded. Safe for many threads.
 *
 * <p>A store that comes and goes is told once and not with every beat; what lasts is always told.
 */
final class Outage {

  private static final Logger log = LoggerFactory.getLogger(Outage.class);
  private static final long SAME = Duration.ofMinutes(5).toNanos();
  private static final long LASTING = Duration.ofSeconds(10).toNanos();

  private final LongSupplier nanos;
  private final AtomicInteger count = new AtomicInteger();
  private volatile boolean on;
  private volatile Runnable whenBegun = () -> {};
  private long since;
  private boolean told;
  private String lastWords = "";
  private long lastToldAt;

  Outage(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Sets what is done when an outage begins. */
  void onBegin(Runnable action) {
    whenBegun = action;
  }

  boolean isOn() {
    return on;
  }

  /**
   * Returns whether an error of the store may be caused by the data of one email, and may not occur
   * with other emails.
   */
  static boolean mayBeCausedByAnEmail(Throwable thrown) {
    if (!(thrown instanceof StoreException failure)) {
      return true;
    }
    return switch (failure.reason()) {
      case UNAVAILABLE, MISCONFIGURED, INTERRUPTED -> false;
      case REJECTED_DATA, RETRY_TRANSACTION -> true;
    };
  }

  /** Returns how many there have been. */
  int count() {
    return count.get();
  }

  /** Begins; a store that throws what it should not is no better to work with, but not away. */
  synchronized void begin(Throwable cause) {
    long now = nanos.getAsLong();
    if (!on) {
      on = true;
      since = now;
      told = false;
      count.incrementAndGet();
      whenBegun.run();
    }
    String words = words(cause);
    boolean isNews = !words.equals(lastWords) || now - lastToldAt >= SAME;
    if (!told && (isNews || now - since >= LASTING)) {
      told = true;
      lastWords = words;
      lastToldAt = now;
      Failures.logSafely(() -> log.error("{}", words));
    } else {
      Failures.logSafely(() -> log.debug("the store is still unavailable"));
    }
  }

  /** A {@link StoreException} speaks in the store's own words, which hold nothing personal. */
  private static String words(Throwable cause) {
    return cause instanceof StoreException
        ? "the store is out of reach, pausing: %s (%s)"
            .formatted(cause.getMessage(), Failures.describe(cause))
        : "the store failed, pausing: " + Failures.describe(cause);
  }

  synchronized void end() {
    if (!on) {
      return;
    }
    on = false;
    if (told) {
      Failures.logSafely(() -> log.info("the store is back, going on"));
    } else {
      Failures.logSafely(() -> log.debug("the store is back again"));
    }
  }

  /** Returns when the present outage began, by the monotonic clock; empty if there is none. */
  synchronized OptionalLong beganAt() {
    return on ? OptionalLong.of(since) : OptionalLong.empty();
  }
}
