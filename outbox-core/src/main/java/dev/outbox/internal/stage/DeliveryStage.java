package dev.outbox.internal.stage;

import dev.outbox.email.Address;
import dev.outbox.email.AddressesAndSubject;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.RecipientResult.Status;
import dev.outbox.internal.logging.ErrorSummary;
import dev.outbox.internal.node.NodeLease;
import dev.outbox.retry.RetryPolicy;
import dev.outbox.settings.UnknownOutcomePolicy;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.StoredValueLimits;
import dev.outbox.transport.DeliveryResult;
import dev.outbox.transport.Envelope;
import dev.outbox.transport.SendPermit;
import dev.outbox.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Hands one prepared email to the transport, and decides what its answer means. */
public final class DeliveryStage {

  private static final Duration MOMENT = Duration.ofSeconds(1);

  /** The longest part of a relay's reply in the reason of an email. */
  private static final int QUOTED = 500;

  private final Transport transport;
  private final NodeLease lease;
  private final RetryPolicy retries;
  private final UnknownOutcomePolicy unknownOutcome;
  private final boolean keepsContent;
  private final LongSupplier nanos;

  public DeliveryStage(
      Transport transport,
      NodeLease lease,
      RetryPolicy retries,
      UnknownOutcomePolicy unknownOutcome,
      boolean keepsContent,
      LongSupplier nanos) {
    this.transport = transport;
    this.lease = lease;
    this.retries = retries;
    this.unknownOutcome = unknownOutcome;
    this.keepsContent = keepsContent;
    this.nanos = nanos;
  }

  /** Delivers an email; whatever goes wrong is a result too. */
  Completion deliver(PreparedEmail email) {
    Claim claim = email.claim();
    AddressesAndSubject addressesAndSubject = claim.email().addressesAndSubject();
    if (addressesAndSubject == null || email.message().length() == 0) {
      return Completion.invalid(claim, OutcomeDetails.of("its recipients or its message are gone"));
    }
    if (lifeLeft(email).isNegative() || lifeLeft(email).isZero()) {
      return failed(
          email, FailureCode.EXPIRED, details(email).reason("too old before it was sent"));
    }
    SendPermit permit = lease.permit(email.claimedAt());
    if (!permit.isValid()) {
      return Completion.released(claim, MOMENT, OutcomeDetails.of("the node's lease was not sure"));
    }
    List<Address> open = open(claim.email(), addressesAndSubject);
    if (open.isEmpty()) {
      // Only a relay that was asked uses up an attempt.
      return settled(email, claim.email().recipients(), details(email), this::failed);
    }
    DeliveryResult result;
    try {
      Envelope envelope = new Envelope(claim.id(), addressesAndSubject.from(), open);
      result = Objects.requireNonNull(transport.deliver(envelope, email.message(), permit));
    } catch (Throwable e) {
      // Nobody can say how far it came.
      result = new DeliveryResult.Unknown("the transport failed: " + ErrorSummary.describe(e));
    }
    return classify(email, open, result);
  }

  /** Returns what is to be recorded if nobody knows whether the relay has the email. */
  Completion unknown(PreparedEmail email, String reason) {
    return unknownOutcome == UnknownOutcomePolicy.HOLD
        ? inVain(email, FailureCode.OUTCOME_UNKNOWN, details(email).reason(reason))
        : again(email, details(email).reason(reason));
  }

  private Completion classify(PreparedEmail email, List<Address> open, DeliveryResult result) {
    if (result instanceof DeliveryResult.Answered answered) {
      List<RecipientResult> all = merged(email.claim().email(), open, answered.recipients());
      OutcomeDetails report = details(email).recipients(all);
      return settled(
          email,
          all,
          answered.response() == null ? report : report.response(answered.response()),
          this::inVain);
    }
    if (result instanceof DeliveryResult.Postponed postponed) {
      OutcomeDetails report = details(email).reason(postponed.reason());
      if (!postponed.recipients().isEmpty()) {
        report = report.recipients(merged(email.claim().email(), open, postponed.recipients()));
      }
      return postponed(
          email,
          postponed.delay(),
          postponed.response() == null ? report : report.response(postponed.response()));
    }
    if (result instanceof DeliveryResult.Unknown unknown) {
      return unknown(email, unknown.reason());
    }
    return Completion.released(
        email.claim(),
        MOMENT,
        OutcomeDetails.of("it was not handed over: the node closes, or froze"));
  }

  private Completion settled(
      PreparedEmail email, List<RecipientResult> all, OutcomeDetails report, Failing failing) {
    if (all.stream().anyMatch(each -> each.status() == Status.PENDING)) {
      String reason = quoting("not every recipient was accepted", all, Status.PENDING, report);
      return again(email, report.reason(reason));
    }
    if (all.stream().anyMatch(each -> each.status() == Status.REFUSED)) {
      String reason = quoting("a recipient was refused", all, Status.REFUSED, report);
      return failing.as(email, FailureCode.REFUSED, report.reason(reason));
    }
    return Completion.sent(email.claim(), report, keepsContent);
  }

  /** Returns a reason with the relay's reply for the first recipient in a status. */
  private static String quoting(
      String reason, List<RecipientResult> all, Status status, OutcomeDetails report) {
    return all.stream()
        .filter(each -> each.status() == status && each.reply() != null)
        .map(RecipientResult::reply)
        .findFirst()
        .or(() -> Optional.ofNullable(report.response()))
        .map(reply -> reason + ": " + StoredValueLimits.shortened(reply, QUOTED))
        .orElse(reason);
  }

  private Completion again(PreparedEmail email, OutcomeDetails report) {
    Optional<Duration> wait;
    try {
      wait = retries.delayAfter(email.claim().email().progress().attempts() + 1);
      if (wait.isEmpty()) {
        return inVain(email, FailureCode.ATTEMPTS, report);
      }
      if (wait.get().isNegative()) {
        throw new IllegalArgumentException("a wait below zero");
      }
    } catch (Throwable e) {
      // Without a wait it would be sent again and again.
      String words = "the retry policy failed: " + ErrorSummary.describe(e);
      return inVain(email, FailureCode.ATTEMPTS, report.reason(words));
    }
    if (wait.get().compareTo(lifeLeft(email)) >= 0) {
      return inVain(email, FailureCode.EXPIRED, report);
    }
    return Completion.retry(email.claim(), wait.get(), report, email.unstored());
  }

  private Completion postponed(PreparedEmail email, Duration asked, OutcomeDetails report) {
    // No attempt is used up, so that nothing else would end a loop without a wait.
    Duration wait = asked.compareTo(MOMENT) < 0 ? MOMENT : asked;
    return wait.compareTo(lifeLeft(email)) >= 0
        ? failed(email, FailureCode.EXPIRED, report)
        : Completion.postponed(email.claim(), wait, report, email.unstored());
  }

  private Completion failed(PreparedEmail email, FailureCode code, OutcomeDetails report) {
    return Completion.failed(email.claim(), code, report, email.unstored());
  }

  /** Gives an email up after a delivery, which counts as an attempt like those before it. */
  private Completion inVain(PreparedEmail email, FailureCode code, OutcomeDetails report) {
    return Completion.failedAfterAttempt(email.claim(), code, report, email.unstored());
  }

  private Duration lifeLeft(PreparedEmail email) {
    return email.claim().timeToExpiry().minusNanos(nanos.getAsLong() - email.claimedAt());
  }

  private static OutcomeDetails details(PreparedEmail email) {
    return email.subject() == null
        ? OutcomeDetails.NONE
        : OutcomeDetails.NONE.subject(email.subject());
  }

  private static List<Address> open(EmailSummary email, AddressesAndSubject addressesAndSubject) {
    Map<String, Status> known = new HashMap<>();
    email.recipients().forEach(each -> known.put(each.recipient(), each.status()));
    return addressesAndSubject.recipients().all().stream()
        .filter(each -> known.getOrDefault(each.email(), Status.PENDING) == Status.PENDING)
        .toList();
  }

  /**
   * Returns the newest result of every recipient. A recipient that the answer leaves out is still
   * open; a recipient that was not offered is ignored.
   */
  private static List<RecipientResult> merged(
      EmailSummary email, List<Address> offered, List<RecipientResult> news) {
    Map<String, RecipientResult> latest = new LinkedHashMap<>();
    email.recipients().forEach(each -> latest.put(each.recipient(), each));
    offered.forEach(
        each ->
            latest.putIfAbsent(
                each.email(), new RecipientResult(each.email(), Status.PENDING, null)));
    news.forEach(each -> latest.computeIfPresent(each.recipient(), (address, before) -> each));
    return new ArrayList<>(latest.values());
  }

  /** One of the two ways to give an email up. */
  private interface Failing {
    Completion as(PreparedEmail email, FailureCode code, OutcomeDetails report);
  }
}
