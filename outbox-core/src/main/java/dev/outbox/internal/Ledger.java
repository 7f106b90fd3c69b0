package dev.outbox.internal;

import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import dev.outbox.event.OutboxEvent;
import dev.outbox.event.OutboxMetrics;
import dev.outbox.store.Completed;
import dev.outbox.store.Completion;
import dev.outbox.store.OutboxStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records what became of emails, and never forgets: what the store does not take is kept until it
 * does. Safe for many threads.
 */
final class Ledger {

  private static final Logger log = LoggerFactory.getLogger(Ledger.class);

  private static final Duration AGAIN = Duration.ofMillis(200);

  private final OutboxStore store;
  private final Outage outage;
  private final InFlight inFlight;
  private final Notices notices;
  private final Meter meter;
  private final List<Completion> kept = new ArrayList<>();
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong lost = new AtomicLong();
  private final AtomicLong abandoned = new AtomicLong();
  private volatile Runnable callbackDue = () -> {};
  private volatile boolean behind;

  Ledger(OutboxStore store, Outage outage, InFlight inFlight, Notices notices, Meter meter) {
    this.store = store;
    this.outage = outage;
    this.inFlight = inFlight;
    this.notices = notices;
    this.meter = meter;
  }

  /** Sets what is done when some host is to be told. */
  void onCallbackDue(Runnable action) {
    callbackDue = action;
  }

  /** Records results now, or keeps them if the store is out of reach. */
  synchronized void record(List<Completion> completions) {
    kept.addAll(completions);
    if (outage.isOn()) {
      behind = true;
      return;
    }
    try {
      settle();
    } catch (Throwable e) {
      behind = true;
      outage.begin(e);
    }
  }

  /** Returns whether results wait that nobody is recording just now. */
  boolean isBehind() {
    return behind;
  }

  /**
   * Records all that was kept.
   *
   * @throws RuntimeException if the store does not take it; it is kept
   */
  synchronized void settle() {
    if (kept.isEmpty()) {
      return;
    }
    List<Completion> batch = List.copyOf(kept);
    List<Completed> results = store.complete(batch);
    kept.clear();
    behind = false;
    for (int i = 0; i < batch.size(); i++) {
      tell(batch.get(i), results.get(i));
    }
    inFlight.remove(batch.stream().map(Completion::id).toList());
    for (int i = 0; i < batch.size(); i++) {
      if (results.get(i) == Completed.LOST && batch.get(i).from() == State.INTAKING) {
        lost.incrementAndGet();
      }
    }
  }

  /**
   * Records all that was kept, and tries again for a while if the store does not take it: an email
   * that was sent and whose result is forgotten may leave twice.
   *
   * @return whether all is recorded
   */
  boolean settleWithin(Duration patience) {
    long end = System.nanoTime() + patience.toNanos();
    boolean settled = trySettle();
    while (!settled && System.nanoTime() - end < 0) {
      try {
        Thread.sleep(AGAIN.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
      settled = trySettle();
    }
    return settled;
  }

  private boolean trySettle() {
    try {
      settle();
      return true;
    } catch (Throwable e) {
      return false;
    }
  }

  long sentCount() {
    return sent.get();
  }

  long failedCount() {
    return failed.get();
  }

  long abandonedCount() {
    return abandoned.get();
  }

  /** Returns how many results of taking in were refused: those emails may be further than known. */
  long lostCount() {
    return lost.get();
  }

  private void tell(Completion done, Completed result) {
    switch (result) {
      case APPLIED -> tellApplied(done);
      case LOST -> {
        log.debug("{} was in other hands when {} was recorded", done.id(), done.to());
        meter.report(metrics -> metrics.claimsLost(1));
      }
      case POSSIBLE_DUPLICATE -> {
        log.warn("{} was sent by this node after another had taken it over", done.id());
        meter.report(OutboxMetrics::possibleDuplicate);
        notices.post(new OutboxEvent.PossibleDuplicate(done.id()));
      }
    }
  }

  private void tellApplied(Completion done) {
    EmailId id = done.id();
    meter.report(metrics -> metrics.recorded(done.from(), done.to()));
    boolean settles = !done.from().isSettled();
    if (done.to().isSettled() && Duration.ZERO.equals(done.dueIn())) {
      callbackDue.run();
    }
    switch (done.to()) {
      case SENT -> {
        if (settles) {
          sent.incrementAndGet();
          notices.post(new OutboxEvent.EmailSent(id, done.progress().attempts()));
        }
      }
      case FAILED -> {
        if (settles) {
          failed.incrementAndGet();
          log.warn("{} failed: {}", id, done.code());
          notices.post(
              new OutboxEvent.EmailFailed(
                  id, Objects.requireNonNull(done.code()), done.report().recipients()));
        }
      }
      case INVALID -> {
        if (settles) {
          failed.incrementAndGet();
          log.warn("{} is invalid", id);
          notices.post(new OutboxEvent.EmailInvalid(id));
        }
      }
      case READY -> {
        if (done.from() == State.PROCESSING && done.dueIn() != null) {
          log.debug("{} is to be tried again in {}", id, done.dueIn());
          notices.post(
              new OutboxEvent.EmailRetryScheduled(id, done.progress().attempts(), done.dueIn()));
        }
      }
      case SENT_ACKNOWLEDGED, FAILED_ACKNOWLEDGED, INVALID_ACKNOWLEDGED ->
          notices.post(new OutboxEvent.CallbackAcknowledged(id, done.to().outcome()));
      case CALLING_SENT_CALLBACK, CALLING_FAILED_CALLBACK, CALLING_INVALID_CALLBACK -> {
        if (done.dueIn() == null) {
          abandoned.incrementAndGet();
          log.error(
              "{}: the host could not be told, an operator has to look: {}",
              id,
              done.report().reason());
          notices.post(new OutboxEvent.CallbackAbandoned(id, done.to().outcome()));
        }
      }
      default -> log.debug("{} was put back", id);
    }
  }

  /** Returns how many results wait because the store does not take them; makes no call. */
  int keptCount() {
    return behind ? kept.size() : 0;
  }
}
