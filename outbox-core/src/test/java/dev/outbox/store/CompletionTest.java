package dev.outbox.store;

import static dev.outbox.email.SampleSummary.PROGRESS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.email.Bytes;
import dev.outbox.email.Counters;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.SampleSummary;
import dev.outbox.email.State;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CompletionTest {

  private static final URI CALLBACK = URI.create("https://shop.example.com/mail");
  private static final OutcomeDetails REPORT = OutcomeDetails.of("why");
  private static final Bytes BYTES = Bytes.utf8("message");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void onlyTheStepsOfAWorkerAreCompletions() {
    List<String> accepted = new ArrayList<>();
    for (State from : State.values()) {
      for (State to : State.values()) {
        if (possible(from, to)) {
          accepted.add(from + " " + to);
        }
      }
    }
    assertThat(accepted)
        .containsExactlyInAnyOrder(
            "INTAKING ACCEPTED",
            "INTAKING READY",
            "INTAKING INVALID",
            "INTAKING FAILED",
            "PROCESSING SENT",
            "PROCESSING READY",
            "PROCESSING ACCEPTED",
            "PROCESSING FAILED",
            "PROCESSING INVALID",
            "CALLING_SENT_CALLBACK CALLING_SENT_CALLBACK",
            "CALLING_SENT_CALLBACK SENT",
            "CALLING_SENT_CALLBACK SENT_ACKNOWLEDGED",
            "CALLING_FAILED_CALLBACK CALLING_FAILED_CALLBACK",
            "CALLING_FAILED_CALLBACK FAILED",
            "CALLING_FAILED_CALLBACK FAILED_ACKNOWLEDGED",
            "CALLING_INVALID_CALLBACK CALLING_INVALID_CALLBACK",
            "CALLING_INVALID_CALLBACK INVALID",
            "CALLING_INVALID_CALLBACK INVALID_ACKNOWLEDGED");
  }

  @ParameterizedTest
  @EnumSource
  void whatTheTableOfStatesForbidsIsRefused(State from) {
    for (State to : State.values()) {
      if (!from.isBusy() || !from.canBecome(to)) {
        assertThat(possible(from, to)).as("%s to %s", from, to).isFalse();
      }
    }
  }

  @Test
  void aCodeIsGivenOnFailingAndOnlyThen() {
    refuses("code: ", State.PROCESSING, State.FAILED, Duration.ZERO, null);
    refuses("code: ", State.PROCESSING, State.SENT, Duration.ZERO, FailureCode.REFUSED);
    refuses("code: ", State.INTAKING, State.INVALID, null, FailureCode.REFUSED);
    refuses("code: ", State.CALLING_FAILED_CALLBACK, State.FAILED, MINUTE, FailureCode.WORKER_DIED);
  }

  @Test
  void anEmailIsNeverLeftWhereNobodyWouldClaimIt() {
    refuses("dueIn: ", State.PROCESSING, State.READY, null, null);
    refuses("dueIn: ", State.INTAKING, State.ACCEPTED, null, null);
    refuses("dueIn: ", State.INTAKING, State.PROCESSING, null, null);
    refuses("dueIn: ", State.INTAKING, State.PROCESSING, Duration.ZERO, null);
    refuses("dueIn: ", State.PROCESSING, State.READY, MINUTE.negated(), null);
  }

  @Test
  void nothingIsDueAfterTheEnd() {
    // what is due is never pruned
    refuses("dueIn: ", State.CALLING_SENT_CALLBACK, State.SENT_ACKNOWLEDGED, MINUTE, null);
    refuses("dueIn: ", State.CALLING_FAILED_CALLBACK, State.FAILED_ACKNOWLEDGED, MINUTE, null);
  }

  @Test
  void aCallToTheHostDoesNotChangeTheOutcome() {
    refuses("to: ", State.CALLING_FAILED_CALLBACK, State.READY, MINUTE, null);
    refuses("to: ", State.CALLING_INVALID_CALLBACK, State.ACCEPTED, MINUTE, null);
  }

  @Test
  void sentWithoutACallbackLeavesForTheLog() {
    Claim claim = claim(State.PROCESSING, null, false);
    Completion sent = Completion.sent(claim, REPORT, false);

    assertThat(sent)
        .isEqualTo(completion(claim, State.SENT, null, PROGRESS.forNextStage(), null, null, false));
    assertThat(sent.movesToLog()).isTrue();
    assertThat(sent.isNormalStep()).isTrue();
  }

  @Test
  void sentWithACallbackIsDueAtOnceForIt() {
    Claim claim = claim(State.PROCESSING, CALLBACK, false);
    Completion sent = Completion.sent(claim, REPORT, true);

    assertThat(sent)
        .isEqualTo(
            completion(
                claim, State.SENT, Duration.ZERO, PROGRESS.forNextStage(), null, null, true));
    assertThat(sent.movesToLog()).isFalse();
  }

  @Test
  void readyKeepsTheBytesAndUsesNoAttempt() {
    Claim claim = claim(State.INTAKING, null, false);
    Completion ready = Completion.postponed(claim, MINUTE, REPORT, BYTES);

    assertThat(ready)
        .isEqualTo(
            completion(claim, State.READY, MINUTE, PROGRESS.forNextStage(), null, BYTES, false));
    assertThat(ready.isNormalStep()).isTrue();
    assertThat(ready.movesToLog()).isFalse();
  }

  @Test
  void retryKeepsTheBytesAndUsesAnAttempt() {
    Claim claim = claim(State.PROCESSING, null, false);
    Completion retry = Completion.retry(claim, MINUTE, REPORT, BYTES);

    assertThat(retry)
        .isEqualTo(
            completion(claim, State.READY, MINUTE, PROGRESS.attempted(), null, BYTES, false));
    assertThat(retry.isNormalStep()).isFalse();
  }

  @Test
  void releasedGoesBackWithoutAnAttempt() {
    Claim bare = claim(State.PROCESSING, null, false);
    assertThat(Completion.released(bare, MINUTE, REPORT))
        .isEqualTo(completion(bare, State.ACCEPTED, MINUTE, PROGRESS, null, null, true));
    Claim composed = claim(State.PROCESSING, null, true);
    assertThat(Completion.released(composed, MINUTE, REPORT))
        .isEqualTo(completion(composed, State.READY, MINUTE, PROGRESS, null, null, true));
    Claim calling = claim(State.CALLING_FAILED_CALLBACK, CALLBACK, false);
    assertThat(Completion.released(calling, MINUTE, REPORT))
        .isEqualTo(completion(calling, State.FAILED, MINUTE, PROGRESS, null, null, true));
  }

  @Test
  void failedKeepsItsContentForARequeue() {
    Claim claim = claim(State.PROCESSING, CALLBACK, false);
    Completion failed = Completion.failed(claim, FailureCode.REFUSED, REPORT, BYTES);

    assertThat(failed)
        .isEqualTo(
            completion(
                claim,
                State.FAILED,
                Duration.ZERO,
                PROGRESS.forNextStage(),
                FailureCode.REFUSED,
                BYTES,
                true));
    assertThat(failed.movesToLog()).isFalse();
    assertThat(failed.isNormalStep()).isFalse();
    Claim unwatched = claim(State.INTAKING, null, false);
    assertThat(Completion.failed(unwatched, FailureCode.EXPIRED, REPORT, null).dueIn()).isNull();
  }

  @Test
  void aFailedDeliveryUsesAnAttempt() {
    Claim claim = claim(State.PROCESSING, CALLBACK, false);

    assertThat(Completion.failedAfterAttempt(claim, FailureCode.ATTEMPTS, REPORT, BYTES))
        .isEqualTo(
            completion(
                claim,
                State.FAILED,
                Duration.ZERO,
                PROGRESS.forNextStage().attempted(),
                FailureCode.ATTEMPTS,
                BYTES,
                true));
  }

  @Test
  void invalidKeepsItsContentToo() {
    Claim claim = claim(State.INTAKING, null, false);
    Completion invalid = Completion.invalid(claim, REPORT);

    assertThat(invalid)
        .isEqualTo(
            completion(claim, State.INVALID, null, PROGRESS.forNextStage(), null, null, true));
    assertThat(invalid.movesToLog()).isFalse();
  }

  @Test
  void acknowledgedIsTheEndAndArchivesWhatWasSent() {
    Claim claim = claim(State.CALLING_SENT_CALLBACK, CALLBACK, false);
    Completion told = Completion.callbackAcknowledged(claim, REPORT, false);

    assertThat(told)
        .isEqualTo(
            completion(claim, State.SENT_ACKNOWLEDGED, null, PROGRESS.tried(), null, null, false));
    assertThat(told.movesToLog()).isTrue();
    assertThat(told.isNormalStep()).isFalse();
    Claim failed = claim(State.CALLING_FAILED_CALLBACK, CALLBACK, false);
    assertThat(Completion.callbackAcknowledged(failed, REPORT, true).movesToLog()).isFalse();
  }

  @Test
  void callAgainStaysWhereItIsUntilItsTime() {
    Claim claim = claim(State.CALLING_SENT_CALLBACK, CALLBACK, false);
    Completion again = Completion.callbackRetry(claim, MINUTE, REPORT);

    assertThat(again)
        .isEqualTo(
            completion(
                claim, State.CALLING_SENT_CALLBACK, MINUTE, PROGRESS.tried(), null, null, true));
    assertThat(again.movesToLog()).isFalse();
  }

  @Test
  void callNoMoreWaitsForNobodyAndArchivesWhatWasSent() {
    Claim claim = claim(State.CALLING_SENT_CALLBACK, CALLBACK, false);
    Completion noMore = Completion.callbackAbandoned(claim, REPORT, false);

    assertThat(noMore)
        .isEqualTo(
            completion(
                claim, State.CALLING_SENT_CALLBACK, null, PROGRESS.tried(), null, null, false));
    assertThat(noMore.movesToLog()).isTrue();
    Claim invalid = claim(State.CALLING_INVALID_CALLBACK, CALLBACK, false);
    assertThat(Completion.callbackAbandoned(invalid, REPORT, true).movesToLog()).isFalse();
  }

  @Test
  void aCallbackIsCompletedOnlyWhereOneWasClaimed() {
    Claim claim = claim(State.PROCESSING, CALLBACK, false);
    assertThatThrownBy(() -> Completion.callbackAcknowledged(claim, REPORT, true))
        .isInstanceOf(NoSuchElementException.class);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Completion.callbackRetry(claim, MINUTE, REPORT));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Completion.callbackAbandoned(claim, REPORT, true));
  }

  @Test
  void putBackCountsTheTryAndUsesNoAttempt() {
    Claim claim = claim(State.INTAKING, null, false);
    assertThat(Completion.deferredToOtherNode(claim, MINUTE, REPORT))
        .isEqualTo(completion(claim, State.ACCEPTED, MINUTE, PROGRESS.tried(), null, null, true));
  }

  @Test
  void onlyAnEmailThatSomebodyHoldsIsAClaim() {
    EmailSummary held = SampleSummary.in(State.PROCESSING, null);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Claim(1, State.READY, held, null, MINUTE))
        .withMessageContaining("READY");
    EmailSummary free = SampleSummary.in(State.READY, null);
    assertThatThrownBy(() -> new Claim(1, State.PROCESSING, free, null, MINUTE))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("owner");
  }

  @Test
  void aClaimThatProceedsIsTheSameClaimOnTheWire() {
    Claim claim = claim(State.INTAKING, null, true);

    assertThat(claim.forDelivery())
        .isEqualTo(new Claim(7, State.PROCESSING, claim.email(), claim.content(), MINUTE));
  }

  private static boolean possible(State from, State to) {
    FailureCode code = to == State.FAILED && !from.hasOutcome() ? FailureCode.REFUSED : null;
    return isAccepted(from, to, Duration.ZERO, code) || isAccepted(from, to, null, code);
  }

  private static boolean isAccepted(
      State from, State to, @Nullable Duration dueIn, @Nullable FailureCode code) {
    try {
      return make(from, to, dueIn, code).to() == to;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static void refuses(
      String field, State from, State to, @Nullable Duration dueIn, @Nullable FailureCode code) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> make(from, to, dueIn, code))
        .withMessageStartingWith(field);
  }

  private static Completion make(
      State from, State to, @Nullable Duration dueIn, @Nullable FailureCode code) {
    return new Completion(
        EmailId.next(),
        1,
        SampleSummary.NODE,
        from,
        to,
        dueIn,
        Counters.NONE,
        code,
        OutcomeDetails.NONE,
        null,
        false);
  }

  private static Claim claim(State state, @Nullable URI callbackUrl, boolean composed) {
    return new Claim(
        7,
        state,
        SampleSummary.in(state, callbackUrl),
        new StoredContent(Bytes.utf8("payload"), composed ? BYTES : null),
        MINUTE);
  }

  private static Completion completion(
      Claim claim,
      State to,
      @Nullable Duration dueIn,
      Counters progress,
      @Nullable FailureCode code,
      @Nullable Bytes composed,
      boolean keepsContent) {
    return new Completion(
        claim.id(),
        7,
        SampleSummary.NODE,
        claim.state(),
        to,
        dueIn,
        progress,
        code,
        REPORT,
        composed,
        keepsContent);
  }
}
