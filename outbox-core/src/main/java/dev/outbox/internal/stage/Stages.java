package dev.outbox.internal.stage;

import dev.outbox.email.Bytes;
import dev.outbox.email.State;
import dev.outbox.internal.event.GuardedMetrics;
import dev.outbox.internal.node.InFlightEmails;
import dev.outbox.internal.node.StoreAvailability;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.OutcomeDetails;
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
public final class Stages {

  /** The reason of an email that is released because of an outage. */
  public static final String UNREACHABLE = "the store was unavailable";

  private final IntakeStage intake;
  private final DeliveryStage delivery;
  private final CallbackStage callbackStage;
  private final StoreAvailability availability;
  private final DeliveryStart proceeding;
  private final GuardedMetrics metrics;
  private final LongSupplier nanos;

  public Stages(
      OutboxStore store,
      IntakeStage intake,
      DeliveryStage delivery,
      CallbackStage callbackStage,
      StoreAvailability availability,
      InFlightEmails inFlight,
      GuardedMetrics metrics,
      LongSupplier nanos) {
    this.proceeding = new DeliveryStart(store, intake, availability, inFlight, metrics);
    this.intake = intake;
    this.delivery = delivery;
    this.callbackStage = callbackStage;
    this.availability = availability;
    this.metrics = metrics;
    this.nanos = nanos;
  }

  /** Returns the time of the monotonic clock. */
  public long now() {
    return nanos.getAsLong();
  }

  /** Takes one email in that was claimed at a time of {@link #now()}. */
  public IntakeStage.Result takeIn(Claim claim, long claimedAt) {
    return timed(State.INTAKING, () -> intake.take(claim, claimedAt));
  }

  /**
   * Takes a group of rendered emails to the wire's edge in one committed step.
   *
   * @return what is still ours to send
   */
  public List<PreparedEmail> proceed(List<PreparedEmail> group, Consumer<Completion> results) {
    return proceeding.proceed(group, results);
  }

  /** Makes an email that was composed before ready for the wire again. */
  public PreparedEmail reopen(Claim claim, long claimedAt) {
    StoredContent content = claim.content();
    Bytes message = content == null ? null : content.composed();
    return new PreparedEmail(claim, message == null ? Bytes.empty() : message, null, claimedAt);
  }

  /** Sends one email, unless the store is unavailable and could not be told. */
  public Completion deliver(PreparedEmail email) {
    if (email.message().length() == 0) {
      return intake.unseen(email.claim());
    }
    return availability.isUnavailable()
        ? released(email.claim(), UNREACHABLE)
        : timed(State.PROCESSING, () -> delivery.deliver(email));
  }

  /** Returns what is to be recorded if a delivery did not end in time. */
  public Completion overdue(PreparedEmail email) {
    return delivery.unknown(email, "the delivery did not end in time");
  }

  /** Tells the host what became of one email. */
  public Completion call(Claim claim) {
    return timed(claim.state(), () -> callbackStage.call(claim));
  }

  /** Returns what is to be recorded if a call did not end in time. */
  public Completion callOverdue(Claim claim) {
    return callbackStage.overdue(claim);
  }

  /** Returns what is to be recorded if rendering did not end in time. */
  public Completion intakeOverdue(Claim claim) {
    return Completion.invalid(claim, OutcomeDetails.of("rendering did not end in time"));
  }

  /** Gives a claim back as if nothing had happened. */
  public static Completion released(Claim claim, String reason) {
    return Completion.released(claim, Duration.ZERO, OutcomeDetails.of(reason));
  }

  private <T> T timed(State busy, Supplier<T> work) {
    long start = nanos.getAsLong();
    T result = work.get();
    Duration time = Duration.ofNanos(nanos.getAsLong() - start);
    metrics.report(metrics -> metrics.worked(busy, time));
    return result;
  }
}
