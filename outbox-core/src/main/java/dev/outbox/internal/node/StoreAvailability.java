package dev.outbox.internal.node;

import dev.outbox.internal.logging.ErrorSummary;
import dev.outbox.store.StoreException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the store is unavailable. While it is, the node claims, sends and reaps nothing; it ends
 * once a beat was answered and every kept result is recorded. Safe for many threads.
 *
 * <p>A store that comes and goes is told once and not with every beat; what lasts is always told.
 */
public final class StoreAvailability {

  private static final Logger log = LoggerFactory.getLogger(StoreAvailability.class);
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

  public StoreAvailability(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Sets what is done when an outage begins. */
  public void onUnavailable(Runnable action) {
    whenBegun = action;
  }

  /** Returns whether there is an outage. */
  public boolean isUnavailable() {
    return on;
  }

  /**
   * Returns whether an error of the store may be caused by the data of one email, and may not occur
   * with other emails.
   */
  public static boolean mayBeCausedByAnEmail(Throwable thrown) {
    if (!(thrown instanceof StoreException failure)) {
      return true;
    }
    return switch (failure.reason()) {
      case UNAVAILABLE, MISCONFIGURED, INTERRUPTED -> false;
      case REJECTED_DATA, RETRY_TRANSACTION -> true;
    };
  }

  /** Returns how many there have been. */
  public int outageCount() {
    return count.get();
  }

  /** Begins; a store that throws what it should not is no better to work with, but not away. */
  public synchronized void markUnavailable(Throwable cause) {
    long now = nanos.getAsLong();
    if (!on) {
      on = true;
      since = now;
      told = false;
      count.incrementAndGet();
      whenBegun.run();
    }
    String words = text(cause);
    boolean isNews = !words.equals(lastWords) || now - lastToldAt >= SAME;
    if (!told && (isNews || now - since >= LASTING)) {
      told = true;
      lastWords = words;
      lastToldAt = now;
      ErrorSummary.logSafely(() -> log.error("{}", words));
    } else {
      ErrorSummary.logSafely(() -> log.debug("the store is still unavailable"));
    }
  }

  /** A {@link StoreException} speaks in the store's own words, which hold nothing personal. */
  private static String text(Throwable cause) {
    return cause instanceof StoreException
        ? "the store is unavailable, processing paused: %s (%s)"
            .formatted(cause.getMessage(), ErrorSummary.describe(cause))
        : "the store failed, processing paused: " + ErrorSummary.describe(cause);
  }

  /** Ends the outage. */
  public synchronized void markAvailable() {
    if (!on) {
      return;
    }
    on = false;
    if (told) {
      ErrorSummary.logSafely(() -> log.info("the store is available again, processing resumed"));
    } else {
      ErrorSummary.logSafely(() -> log.debug("the store is back again"));
    }
  }

  /** Returns when the present outage began, by the monotonic clock; empty if there is none. */
  public synchronized OptionalLong beganAt() {
    return on ? OptionalLong.of(since) : OptionalLong.empty();
  }
}
