package dev.outbox.internal;

import dev.outbox.email.Bytes;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.Report;
import dev.outbox.store.StoredContent;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The work on claimed emails, one method for each stage. It knows nothing of threads: its results
 * go to whoever records them.
 */
final class Workshop {

  static final String UNREACHABLE = "the store was out of reach";

  private final Intake intake;
  private final Delivery delivery;
  private final Calling calling;
  private final Outage outage;
  private final Proceeding proceeding;
  private final Meter meter;
  private final LongSupplier nanos;

  Workshop(
      OutboxStore store,
      Intake intake,
      Delivery delivery,
      Calling calling,
      Outage outage,
      InFlight inFlight,
      Meter meter,
      LongSupplier nanos) {
    this.proceeding = new Proceeding(store, intake, outage, inFlight, meter);
    this.intake = intake;
    this.delivery = delivery;
    this.calling = calling;
    this.outage = outage;
    this.meter = meter;
    this.nanos = nanos;
  }

  /** Returns the time of the monotonic clock. */
  long now() {
    return nanos.getAsLong();
  }

  /** Takes one email in that was claimed at a time of {@link #now()}. */
  Intake.Taken takeIn(Claim claim, long claimedAt) {
    return timed(State.INTAKING, () -> intake.take(claim, claimedAt));
  }

  /**
   * Takes a group of rendered emails to the wire's edge in one committed step.
   *
   * @return what is still ours to send
   */
  List<Prepared> proceed(List<Prepared> group, Consumer<Completion> results) {
    return proceeding.proceed(group, results);
  }

  /** Makes an email that was composed before ready for the wire again. */
  Prepared reopen(Claim claim, long claimedAt) {
    StoredContent content = claim.content();
    Bytes message = content == null ? null : content.composed();
    return new Prepared(claim, message == null ? Bytes.empty() : message, null, claimedAt);
  }

  /** Sends one email, unless the store is out of reach and could not be told. */
  Completion deliver(Prepared email) {
    if (email.message().length() == 0) {
      return intake.unseen(email.claim());
    }
    return outage.isOn()
        ? released(email.claim(), UNREACHABLE)
        : timed(State.PROCESSING, () -> delivery.deliver(email));
  }

  /** Returns what is to be recorded if a delivery did not end in time. */
  Completion overdue(Prepared email) {
    return delivery.unknown(email, "the delivery did not end in time");
  }

  /** Tells the host what became of one email. */
  Completion call(Claim claim) {
    return timed(claim.state(), () -> calling.call(claim));
  }

  /** Returns what is to be recorded if a call did not end in time. */
  Completion callOverdue(Claim claim) {
    return calling.overdue(claim);
  }

  /** Returns what is to be recorded if rendering did not end in time. */
  Completion intakeOverdue(Claim claim) {
    return Completion.invalid(claim, Report.of("rendering did not end in time"));
  }

  /** Gives a claim back as if nothing had happened. */
  static Completion released(Claim claim, String reason) {
    return Completion.released(claim, Duration.ZERO, Report.of(reason));
  }

  private <T> T timed(State busy, Supplier<T> work) {
    long start = nanos.getAsLong();
    T result = work.get();
    Duration time = Duration.ofNanos(nanos.getAsLong() - start);
    meter.report(metrics -> metrics.worked(busy, time));
    return result;
  }
}
