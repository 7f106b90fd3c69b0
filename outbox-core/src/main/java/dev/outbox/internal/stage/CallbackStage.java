package dev.outbox.internal.stage;

import dev.outbox.callback.Callback;
import dev.outbox.callback.CallbackNotice;
import dev.outbox.callback.CallbackResult;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.State;
import dev.outbox.internal.logging.ErrorSummary;
import dev.outbox.settings.CallbackSettings;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.OutcomeDetails;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the host what became of one email. */
public final class CallbackStage {

  private static final Logger log = LoggerFactory.getLogger(CallbackStage.class);

  /** The longest wait that a host may ask for. */
  private static final Duration MOST = Duration.ofDays(1);

  private static final String GENERAL = "the email could not be sent";

  private final Callback callback;
  private final CallbackSettings policy;
  private final boolean keepsContent;

  public CallbackStage(Callback callback, CallbackSettings policy, boolean keepsContent) {
    this.callback = callback;
    this.policy = policy;
    this.keepsContent = keepsContent;
  }

  /** Calls once; whatever goes wrong is a result too. */
  Completion call(Claim claim) {
    URI url = claim.email().callbackUrl();
    if (url == null) {
      return Completion.callbackAbandoned(
          claim, OutcomeDetails.of("there is nobody to call"), keepsContent);
    }
    CallbackResult result;
    try {
      result = Objects.requireNonNull(callback.call(notice(claim, url)));
    } catch (Throwable e) {
      result = new CallbackResult.Unavailable(null, ErrorSummary.describe(e), null);
    }
    return classify(claim, result);
  }

  /** Returns what is to be recorded if a call did not end in time. */
  Completion overdue(Claim claim) {
    return again(claim, null, OutcomeDetails.of("the call did not end in time"));
  }

  private Completion classify(Claim claim, CallbackResult result) {
    if (result instanceof CallbackResult.Acknowledged acknowledged) {
      return Completion.callbackAcknowledged(
          claim, report("acknowledged", acknowledged.detail()), keepsContent);
    }
    if (result instanceof CallbackResult.Unavailable unavailable) {
      return again(
          claim, unavailable.retryAfter(), report(unavailable.reason(), unavailable.detail()));
    }
    CallbackResult.Rejected rejected = (CallbackResult.Rejected) result;
    return Completion.callbackAbandoned(
        claim, report(rejected.reason(), rejected.detail()), keepsContent);
  }

  private Completion again(Claim claim, @Nullable Duration asked, OutcomeDetails report) {
    int tries = claim.email().progress().stageRetries() + 1;
    long perRound = policy.maxRetries() + 1L;
    if (tries >= perRound * policy.rounds()) {
      return Completion.callbackAbandoned(claim, report, keepsContent);
    }
    boolean isRoundOver = tries % perRound == 0;
    if (isRoundOver) {
      log.error(
          "{}: the callback failed in round {} of {}: {}",
          claim.id(),
          tries / perRound,
          policy.rounds(),
          report.reason());
    }
    Duration wait = isRoundOver ? policy.roundInterval() : policy.retryInterval();
    if (asked != null && asked.compareTo(wait) > 0) {
      wait = asked.compareTo(MOST) > 0 ? MOST : asked;
    }
    return Completion.callbackRetry(claim, wait, report);
  }

  private static CallbackNotice notice(Claim claim, URI url) {
    EmailSummary email = claim.email();
    State outcome = claim.state().outcome();
    return new CallbackNotice(
        url,
        claim.id(),
        outcome,
        email.code(),
        outcome == State.SENT ? email.response() : reason(email),
        Objects.requireNonNullElse(email.timeline().settled(), email.timeline().updated()),
        email.progress().attempts(),
        email.progress().generation(),
        email.requestId());
  }

  /** Only the relay's own words leave the house; ours may speak of internals. */
  private static String reason(EmailSummary email) {
    return Objects.requireNonNullElse(email.response(), GENERAL);
  }

  private static OutcomeDetails report(String reason, @Nullable String detail) {
    OutcomeDetails report = OutcomeDetails.of(reason);
    return detail == null ? report : report.response(detail);
  }
}
