package dev.outbox.internal.record;

import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import dev.outbox.event.OutboxEvent;
import dev.outbox.internal.event.EventPublisher;
import dev.outbox.internal.event.GuardedMetrics;
import dev.outbox.monitoring.OutboxMetrics;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs, counts and posts what is recorded of emails. Safe for many threads. */
final class CompletionEvents {

  private static final Logger log = LoggerFactory.getLogger(CompletionEvents.class);

  private final EventPublisher publisher;
  private final GuardedMetrics metrics;
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong abandoned = new AtomicLong();
  private volatile Runnable callbackDue = () -> {};

  CompletionEvents(EventPublisher publisher, GuardedMetrics metrics) {
    this.publisher = publisher;
    this.metrics = metrics;
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
  void announce(Completion done, CompletionResult result) {
    switch (result) {
      case APPLIED -> announceApplied(done);
      case LOST -> {
        log.debug("{} was in other hands when {} was recorded", done.id(), done.to());
        metrics.report(metrics -> metrics.claimsLost(1));
      }
      case POSSIBLE_DUPLICATE -> {
        log.warn("{} was sent by this node after another had taken it over", done.id());
        metrics.report(OutboxMetrics::possibleDuplicate);
        publisher.post(new OutboxEvent.PossibleDuplicate(done.id()));
      }
    }
  }

  private void announceApplied(Completion done) {
    EmailId id = done.id();
    metrics.report(metrics -> metrics.recorded(done.from(), done.to()));
    boolean settles = !done.from().hasOutcome();
    if (done.to().hasOutcome() && Duration.ZERO.equals(done.dueIn())) {
      callbackDue.run();
    }
    switch (done.to()) {
      case SENT -> {
        if (settles) {
          sent.incrementAndGet();
          publisher.post(new OutboxEvent.EmailSent(id, done.progress().attempts()));
        }
      }
      case FAILED -> {
        if (settles) {
          failed.incrementAndGet();
          log.warn("{} failed: {}", id, done.code());
          publisher.post(
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
          publisher.post(new OutboxEvent.EmailInvalid(id));
        }
      }
      case READY -> {
        if (done.from() == State.PROCESSING && done.dueIn() != null) {
          log.debug("{} is to be tried again in {}", id, done.dueIn());
          publisher.post(
              new OutboxEvent.EmailRetryScheduled(id, done.progress().attempts(), done.dueIn()));
        }
      }
      case SENT_ACKNOWLEDGED, FAILED_ACKNOWLEDGED, INVALID_ACKNOWLEDGED ->
          publisher.post(new OutboxEvent.CallbackAcknowledged(id, done.to().outcome()));
      case CALLING_SENT_CALLBACK, CALLING_FAILED_CALLBACK, CALLING_INVALID_CALLBACK -> {
        if (done.dueIn() == null) {
          abandoned.incrementAndGet();
          // The reason of a call is in our own words, as CallbackResult requires.
          log.error(
              "{}: callback abandoned, an operator has to act: {}", id, done.report().reason());
          publisher.post(new OutboxEvent.CallbackAbandoned(id, done.to().outcome()));
        }
      }
      default -> log.debug("{} was released", id);
    }
  }
}
