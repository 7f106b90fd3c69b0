package dev.outbox.internal;

import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import dev.outbox.event.OutboxEvent;
import dev.outbox.event.OutboxMetrics;
import dev.outbox.store.Completed;
import dev.outbox.store.Completion;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs, counts and posts what is recorded of emails. Safe for many threads. */
final class Announcements {

  private static final Logger log = LoggerFactory.getLogger(Announcements.class);

  private final Notices notices;
  private final Meter meter;
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong abandoned = new AtomicLong();
  private volatile Runnable callbackDue = () -> {};

  Announcements(Notices notices, Meter meter) {
    this.notices = notices;
    this.meter = meter;
  }

  /** Sets what is done when a callback is due. */
  void onCallbackDue(Runnable action) {
    callbackDue = action;
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

  /** Announces a completion in the form in which it is recorded. */
  void announce(Completion done, Completed result) {
    switch (result) {
      case APPLIED -> announceApplied(done);
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

  private void announceApplied(Completion done) {
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
          // No relay is involved: this reason is in our own words and names no value.
          log.warn(
              "{} is invalid: {}",
              id,
              Objects.requireNonNullElse(done.report().reason(), "its reason is not stored"));
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
          // The reason of a call is in our own words, as CallbackResult requires.
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
}
