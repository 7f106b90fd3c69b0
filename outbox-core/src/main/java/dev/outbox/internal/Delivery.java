package dev.outbox.internal;

import dev.outbox.email.Address;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.Headline;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.RecipientResult.Status;
import dev.outbox.retry.RetryPolicy;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.Report;
import dev.outbox.store.StoredLimits;
import dev.outbox.store.UnknownOutcome;
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
final class Delivery {

  private static final Duration MOMENT = Duration.ofSeconds(1);

  /** The longest part of a relay's reply in the reason of an email. */
  private static final int QUOTED = 500;

  private final Transport transport;
  private final Lease lease;
  private final RetryPolicy retries;
  private final UnknownOutcome unknownOutcome;
  private final boolean keepsContent;
  private final LongSupplier nanos;

  Delivery(
      Transport transport,
      Lease lease,
      RetryPolicy retries,
      UnknownOutcome unknownOutcome,
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
  Completion deliver(Prepared email) {
    Claim claim = email.claim();
    Headline headline = claim.email().headline();
    if (headline == null || email.message().length() == 0) {
      return Completion.invalid(claim, Report.of("its recipients or its message are gone"));
    }
    if (lifeLeft(email).isNegative() || lifeLeft(email).isZero()) {
      return failed(email, FailureCode.EXPIRED, said(email).reason("too old before it was sent"));
    }
    SendPermit permit = lease.permit(email.claimedAt());
    if (!permit.stands()) {
      return Completion.released(claim, MOMENT, Report.of("the node's lease was not sure"));
    }
    List<Address> open = open(claim.email(), headline);
    if (open.isEmpty()) {
      // Only a relay that was asked uses up an attempt.
      return settled(email, claim.email().recipients(), said(email), this::failed);
    }
    DeliveryResult result;
    try {
      Envelope envelope = new Envelope(claim.id(), headline.from(), open);
      result = Objects.requireNonNull(transport.deliver(envelope, email.message(), permit));
    } catch (Throwable e) {
      // Nobody can say how far it came.
      result = new DeliveryResult.Unknown("the transport failed: " + Failures.describe(e));
    }
    return judged(email, open, result);
  }

  /** Returns what is to be recorded if nobody knows whether the relay has the email. */
  Completion unknown(Prepared email, String reason) {
    return unknownOutcome == UnknownOutcome.HOLD
        ? inVain(email, FailureCode.OUTCOME_UNKNOWN, said(email).reason(reason))
        : again(email, said(email).reason(reason));
  }

  private Completion judged(Prepared email, List<Address> open, DeliveryResult result) {
    if (result instanceof DeliveryResult.Answered answered) {
      List<RecipientResult> all = merged(email.claim().email(), open, answered.recipients());
      Report report = said(email).recipients(all);
      return settled(
          email,
          all,
          answered.response() == null ? report : report.response(answered.response()),
          this::inVain);
    }
    if (result instanceof DeliveryResult.Postponed postponed) {
      Report report = said(email).reason(postponed.reason());
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
        email.claim(), MOMENT, Report.of("it was not handed over: the node closes, or froze"));
  }

  private Completion settled(
      Prepared email, List<RecipientResult> all, Report report, Failing failing) {
    if (all.stream().anyMatch(each -> each.status() == Status.OPEN)) {
      String reason = quoting("not every recipient was accepted", all, Status.OPEN, report);
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
      String reason, List<RecipientResult> all, Status status, Report report) {
    return all.stream()
        .filter(each -> each.status() == status && each.reply() != null)
        .map(RecipientResult::reply)
        .findFirst()
        .or(() -> Optional.ofNullable(report.response()))
        .map(reply -> reason + ": " + StoredLimits.shortened(reply, QUOTED))
        .orElse(reason);
  }

  private Completion again(Prepared email, Report report) {
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
      String words = "the retry policy failed: " + Failures.describe(e);
      return inVain(email, FailureCode.ATTEMPTS, report.reason(words));
    }
    if (wait.get().compareTo(lifeLeft(email)) >= 0) {
      return inVain(email, FailureCode.EXPIRED, report);
    }
    return Completion.retry(email.claim(), wait.get(), report, email.unstored());
  }

  private Completion postponed(Prepared email, Duration asked, Report report) {
    // No attempt is used up, so that nothing else would end a loop without a wait.
    Duration wait = asked.compareTo(MOMENT) < 0 ? MOMENT : asked;
    return wait.compareTo(lifeLeft(email)) >= 0
        ? failed(email, FailureCode.EXPIRED, report)
        : Completion.ready(email.claim(), wait, report, email.unstored());
  }

  private Completion failed(Prepared email, FailureCode code, Report report) {
    return Completion.failed(email.claim(), code, report, email.unstored());
  }

  /** Gives an email up after a delivery, which counts as an attempt like those before it. */
  private Completion inVain(Prepared email, FailureCode code, Report report) {
    return Completion.failedDelivery(email.claim(), code, report, email.unstored());
  }

  private Duration lifeLeft(Prepared email) {
    return email.claim().expiresIn().minusNanos(nanos.getAsLong() - email.claimedAt());
  }

  private static Report said(Prepared email) {
    return email.subject() == null ? Report.NONE : Report.NONE.subject(email.subject());
  }

  private static List<Address> open(EmailSummary email, Headline headline) {
    Map<String, Status> known = new HashMap<>();
    email.recipients().forEach(each -> known.put(each.recipient(), each.status()));
    return headline.recipients().all().stream()
        .filter(each -> known.getOrDefault(each.email(), Status.OPEN) == Status.OPEN)
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
            latest.putIfAbsent(each.email(), new RecipientResult(each.email(), Status.OPEN, null)));
    news.forEach(each -> latest.computeIfPresent(each.recipient(), (address, before) -> each));
    return new ArrayList<>(latest.values());
  }

  /** One of the two ways to give an email up. */
  private interface Failing {
    Completion as(Prepared email, FailureCode code, Report report);
  }
}
