package dev.outbox.testkit;

import static dev.outbox.testkit.SampleEmail.email;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.State;
import dev.outbox.email.Timeline;
import dev.outbox.store.ActionResult;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.HistoryRecord;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.testkit.EmailStateFixture.Driven;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Telling the host: acknowledged, to be tried again, or given up. */
abstract class CallbackContract extends StoreContract {

  private static final OutcomeDetails ANSWER =
      OutcomeDetails.of("answered 503").response("<h1>busy</h1>");

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"CALLING_SENT_CALLBACK", "CALLING_FAILED_CALLBACK", "CALLING_INVALID_CALLBACK"})
  void acknowledgedEndsTheCallback(State calling) {
    EmailStateFixture driver = driver();
    Driven driven = driver.to(calling);

    driver
        .worker()
        .applied(Completion.callbackAcknowledged(driven.held(), OutcomeDetails.NONE, false));

    EmailSummary email = summary(driven.id());
    assertThat(email.state()).isEqualTo(calling.acknowledgedAs().orElseThrow());
    assertThat(email.owner()).as("owner").isNull();
    assertThat(email.due()).as("due").isNull();
    assertThat(email.progress().stageRetries()).isEqualTo(1);
    assertThat(email.archived())
        .as("in the log: sent, and the host was told")
        .isEqualTo(calling == State.CALLING_SENT_CALLBACK);
    HistoryRecord row = lastRow(driven.id());
    assertThat(row.from()).isEqualTo(calling);
    assertThat(row.to()).isEqualTo(email.state());
    assertThat(row.node()).isEqualTo(driver.worker().node());
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"CALLING_SENT_CALLBACK", "CALLING_FAILED_CALLBACK", "CALLING_INVALID_CALLBACK"})
  void callAgainWaitsInItsState(State calling) {
    EmailStateFixture driver = driver();
    Driven driven = driver.to(calling);

    driver.worker().applied(Completion.callbackRetry(driven.held(), HOUR, ANSWER));

    EmailSummary email = summary(driven.id());
    assertThat(email.state()).isEqualTo(calling);
    assertThat(email.owner()).as("owner").isNull();
    assertThat(between(email.timeline().updated(), email.due())).as("due").isEqualTo(HOUR);
    assertThat(email.progress().stageRetries()).isEqualTo(1);
    assertThat(email.archived()).as("in the log").isFalse();
    HistoryRecord row = lastRow(driven.id());
    assertThat(row.from()).isEqualTo(calling);
    assertThat(row.to()).isEqualTo(calling);
    assertThat(row.reason()).isEqualTo("answered 503");
    assertThat(row.detail()).isEqualTo("<h1>busy</h1>");
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"CALLING_SENT_CALLBACK", "CALLING_FAILED_CALLBACK", "CALLING_INVALID_CALLBACK"})
  void callNoMoreWaitsForNobody(State calling) {
    EmailStateFixture driver = driver();
    Driven driven = driver.to(calling);

    driver.worker().applied(Completion.callbackAbandoned(driven.held(), ANSWER, false));

    EmailSummary email = summary(driven.id());
    assertThat(email.state()).isEqualTo(calling);
    assertThat(email.owner()).as("owner").isNull();
    assertThat(email.due()).as("due").isNull();
    assertThat(email.progress().stageRetries()).isEqualTo(1);
    assertThat(email.archived())
        .as("in the log: sent, and nobody will be told any more")
        .isEqualTo(calling == State.CALLING_SENT_CALLBACK);
    advance(HOUR);
    assertThat(worker("one").claim(calling)).as("claimed after it was given up").isEmpty();
    assertThat(lastRow(driven.id()).reason()).isEqualTo("answered 503");
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"CALLING_SENT_CALLBACK", "CALLING_FAILED_CALLBACK", "CALLING_INVALID_CALLBACK"})
  void aReleasedCallbackGoesBackToItsOutcome(State calling) {
    EmailStateFixture driver = driver();
    Driven driven = driver.to(calling);

    driver.worker().applied(Completion.released(driven.held(), HOUR, OutcomeDetails.NONE));

    EmailSummary email = summary(driven.id());
    assertThat(email.state()).isEqualTo(calling.outcome());
    assertThat(email.owner()).as("owner").isNull();
    assertThat(between(email.timeline().updated(), email.due())).as("due").isEqualTo(HOUR);
    assertThat(email.progress().stageRetries()).isZero();
    assertThat(email.code()).as("code").isEqualTo(driven.held().email().code());
    assertThat(email.reason()).as("reason").isEqualTo(driven.held().email().reason());
    assertThat(email.archived()).as("in the log").isFalse();
  }

  @Test
  void theTimeOfSendingDoesNotMoveWithTheCallback() {
    EmailStateFixture driver = driver();
    Driven driven = driver.to(State.SENT);
    advance(HOUR);
    TestNode worker = driver.worker();

    worker.applied(
        Completion.released(worker.claimOnly(State.SENT), Duration.ZERO, OutcomeDetails.NONE));
    assertSentAnHourBefore(driven.id());
    worker.applied(
        Completion.callbackAcknowledged(worker.claimOnly(State.SENT), OutcomeDetails.NONE, false));
    assertSentAnHourBefore(driven.id());
  }

  @Test
  void theCallbacksTroubleIsInTheHistoryAndNotTheEmails() {
    EmailStateFixture driver = driver();
    Driven driven = driver.to(State.CALLING_FAILED_CALLBACK);
    EmailSummary before = summary(driven.id());

    driver.worker().applied(Completion.callbackRetry(driven.held(), HOUR, ANSWER));

    EmailSummary after = summary(driven.id());
    assertThat(after.code()).as("why the email failed").isEqualTo(before.code());
    assertThat(after.reason())
        .as("why the email failed, which the next callback has to tell")
        .isEqualTo(before.reason());
    assertThat(after.response()).as("the relay's last words").isEqualTo(before.response());
  }

  @Test
  void contentThatIsKeptStaysThroughTheCallback() {
    EmailId id = stored(email().callback());
    TestNode worker = worker("one");
    Claim claim = worker.onTheWireComposed();
    worker.applied(Completion.sent(claim, OutcomeDetails.NONE, /* keepsContent= */ true));
    assertThat(content(id)).as("content when sent").isEqualTo(claim.content());

    worker.applied(
        Completion.released(worker.claimOnly(State.SENT), Duration.ZERO, OutcomeDetails.NONE));
    assertThat(content(id)).as("content when released").isEqualTo(claim.content());
    worker.applied(
        Completion.callbackRetry(worker.claimOnly(State.SENT), Duration.ZERO, OutcomeDetails.NONE));
    assertThat(content(id)).as("content when called").isEqualTo(claim.content());
    worker.applied(
        Completion.callbackAcknowledged(
            worker.claimOnly(State.CALLING_SENT_CALLBACK),
            OutcomeDetails.NONE,
            /* keepsContent= */ true));

    assertThat(summary(id).archived()).isTrue();
    assertThat(content(id)).as("content in the log").isEqualTo(claim.content());
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"CALLING_FAILED_CALLBACK", "CALLING_INVALID_CALLBACK"})
  void whatDidNotLeaveKeepsItsContentWhateverTheCallbackSays(State calling) {
    EmailStateFixture driver = driver();
    Driven told = driver.to(calling);
    driver
        .worker()
        .applied(
            Completion.callbackAcknowledged(
                told.held(), OutcomeDetails.NONE, /* keepsContent= */ false));
    Driven untold = driver.to(calling);
    driver
        .worker()
        .applied(
            Completion.callbackAbandoned(
                untold.held(), OutcomeDetails.NONE, /* keepsContent= */ false));

    assertThat(content(told.id())).as("content after the host was told").isNotNull();
    assertThat(content(untold.id())).as("content after the callback was given up").isNotNull();
    assertThat(move(OperatorAction.REQUEUE, told.id()).status())
        .isEqualTo(ActionResult.Status.DONE);
    assertThat(move(OperatorAction.REQUEUE, untold.id()).status())
        .isEqualTo(ActionResult.Status.DONE);
  }

  @Test
  void aReapedCallbackIsMadeOnceMoreAndTheLateAnswerIsLost() {
    EmailStateFixture driver = driver();
    Driven driven = driver.to(State.CALLING_SENT_CALLBACK);
    driver.worker().die();
    EmailSummary reaped = summary(driven.id());

    assertThat(
            driver
                .worker()
                .complete(
                    Completion.callbackAcknowledged(driven.held(), OutcomeDetails.NONE, false)))
        .as("acknowledged after a reap")
        .isEqualTo(CompletionResult.LOST);
    assertThat(
            driver.worker().complete(Completion.released(driven.held(), HOUR, OutcomeDetails.NONE)))
        .as("released after a reap, which is no delivery although it leads to SENT")
        .isEqualTo(CompletionResult.LOST);

    assertThat(summary(driven.id())).isEqualTo(reaped);
    assertThat(reaped.state()).isEqualTo(State.SENT);
    Claim next = worker("new").claimOnly(State.SENT);
    assertThat(
            driver.worker().complete(Completion.released(driven.held(), HOUR, OutcomeDetails.NONE)))
        .as("released after another claim, which is no duplicate of a delivery")
        .isEqualTo(CompletionResult.LOST);
    assertThat(summary(driven.id())).isEqualTo(next.email());
  }

  private void assertSentAnHourBefore(EmailId id) {
    Timeline times = summary(id).timeline();
    assertThat(between(times.sent(), times.updated()))
        .as("from sent to the last change")
        .isCloseTo(HOUR, SLACK);
    assertThat(between(times.settled(), times.updated()))
        .as("from settled to the last change")
        .isCloseTo(HOUR, SLACK);
  }
}
