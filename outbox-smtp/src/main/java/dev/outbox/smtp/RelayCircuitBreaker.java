package dev.outbox.smtp;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a relay may be tried: after trouble it rests, each time twice as long, then one email
 * tries it, and only when that succeeds the others follow. Safe for many threads.
 */
final class RelayCircuitBreaker {

  private static final Logger log = LoggerFactory.getLogger(RelayCircuitBreaker.class);
  private static final Duration WHILE_TRIED = Duration.ofSeconds(1);

  private final String name;
  private final LongSupplier nanos;
  private volatile int streak;
  private volatile Ticket current = new Ticket(0);
  private long restsUntil;
  private boolean tried;

  RelayCircuitBreaker(String name, LongSupplier nanos) {
    this.name = name;
    this.nanos = nanos;
  }

  /** A leave to try the relay; what it learns counts only until somebody else has found trouble. */
  record Ticket(int number) {}

  /** Returns a leave to try the relay, or null while it rests or somebody else tries it. */
  @Nullable Ticket enter() {
    // Without a lock while all is well: each email of each worker comes by here twice.
    return streak == 0 ? current : probe();
  }

  private synchronized @Nullable Ticket probe() {
    if (streak > 0) {
      if (restsUntil - nanos.getAsLong() > 0 || tried) {
        return null;
      }
      tried = true;
    }
    return current;
  }

  /** Returns how many of the emails wanted it may be tried with. */
  synchronized int open(int wanted) {
    if (streak == 0) {
      return wanted;
    }
    return restsUntil - nanos.getAsLong() > 0 || tried ? 0 : Math.min(1, wanted);
  }

  /** Returns how long to wait before asking again. */
  synchronized Duration timeUntilRetry() {
    Duration left = Duration.ofNanos(streak == 0 ? 0 : restsUntil - nanos.getAsLong());
    return left.compareTo(WHILE_TRIED) < 0 ? WHILE_TRIED : left;
  }

  /** Notes that the relay does its work. */
  void succeeded(Ticket pass) {
    if (streak > 0) {
      recovered(pass);
    }
  }

  private synchronized void recovered(Ticket pass) {
    if (pass.number() == current.number() && streak > 0) {
      tried = false;
      streak = 0;
      log.warn("relay {} is back", name);
    }
  }

  /** Notes that the try told nothing about the relay. */
  synchronized void toldNothing(Ticket pass) {
    if (pass.number() == current.number()) {
      tried = false;
    }
  }

  /** Lets the relay rest, unless it does already. */
  synchronized void troubled(Ticket pass, RelayFailure failure) {
    if (pass.number() != current.number()) {
      return;
    }
    current = new Ticket(pass.number() + 1);
    streak = streak + 1;
    tried = false;
    Duration rest = failure.kind().openPeriod(streak);
    restsUntil = nanos.getAsLong() + rest.toNanos();
    if (streak > 1) {
      log.debug("relay {} circuit open for {} more: {}", name, rest, failure.reason());
    } else if (failure.kind() == RelayFailure.Kind.REFUSED_US) {
      log.error("relay {} refuses us, resting {}: {}", name, rest, failure.reason());
    } else {
      log.warn("relay {} circuit open for {}: {}", name, rest, failure.reason());
    }
  }
}
