package dev.outbox.testkit;

import static dev.outbox.testkit.SampleEmail.email;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.FailureCode;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.HistoryRecord;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.StoredEmail;
import dev.outbox.testkit.EmailStateFixture.Driven;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A completion whose answer was lost is repeated: it says so again and changes nothing. */
abstract class LostResponseContract extends StoreContract {

  private static final OutcomeDetails WORDS = OutcomeDetails.of("words").response("more words");

  @Test
  void aRepeatedRetryIsCountedOnce() {
    EmailId id = stored(email());
    TestNode worker = worker("one");

    assertRepeatable(worker, Completion.retry(worker.onTheWire(), HOUR, WORDS, TestNode.COMPOSED));
    assertThat(summary(id).progress().attempts()).isEqualTo(1);
  }

  @Test
  void aRepeatedReadyChangesNothing() {
    stored(email());
    TestNode worker = worker("one");

    assertRepeatable(
        worker,
        Completion.postponed(
            worker.claimOnly(State.ACCEPTED), HOUR, OutcomeDetails.NONE, TestNode.COMPOSED));
  }

  @Test
  void aRepeatedReleaseChangesNothing() {
    stored(email());
    TestNode worker = worker("one");

    assertRepeatable(worker, Completion.released(worker.onTheWire(), HOUR, WORDS));
    advance(HOUR);
    assertRepeatable(worker, Completion.released(worker.onTheWireComposed(), HOUR, WORDS));
  }

  @Test
  void aRepeatedFailureChangesNothing() {
    stored(email());
    TestNode worker = worker("one");

    assertRepeatable(
        worker, Completion.failed(worker.onTheWire(), FailureCode.ATTEMPTS, WORDS, null));
  }

  @Test
  void aRepeatedFailureOfAnEmailWithACallbackChangesNothing() {
    stored(email().callback());
    TestNode worker = worker("one");

    assertRepeatable(
        worker, Completion.failed(worker.onTheWire(), FailureCode.ATTEMPTS, WORDS, null));
  }

  @Test
  void aRepeatedInvalidChangesNothing() {
    stored(email());
    TestNode worker = worker("one");

    assertRepeatable(worker, Completion.invalid(worker.claimOnly(State.ACCEPTED), WORDS));
  }

  @Test
  void aRepeatedDeliveryThatWasArchivedChangesNothing() {
    stored(email());
    TestNode worker = worker("one");

    assertRepeatable(
        worker, Completion.sent(worker.onTheWire(), OutcomeDetails.NONE.response("250 ok"), false));
    assertThat(store.stats()).as("emails that wait").isEmpty();
  }

  @Test
  void aRepeatedDeliveryThatWaitsForItsCallbackChangesNothing() {
    stored(email().callback());
    TestNode worker = worker("one");

    assertRepeatable(
        worker, Completion.sent(worker.onTheWire(), OutcomeDetails.NONE.response("250 ok"), false));
  }

  @Test
  void aRepeatedDeliveryIsRecognisedWhileTheHostIsToldAndAfter() {
    EmailId id = stored(email().callback());
    TestNode worker = worker("one");
    Completion sent =
        Completion.sent(worker.onTheWire(), OutcomeDetails.NONE.response("250 ok"), false);
    worker.applied(sent);
    TestNode caller = worker("caller");
    caller.applied(
        Completion.released(caller.claimOnly(State.SENT), Duration.ZERO, OutcomeDetails.NONE));
    Claim call = caller.claimOnly(State.SENT);

    worker.applied(sent);
    assertThat(summary(id)).as("the email, as the caller holds it").isEqualTo(call.email());
    caller.applied(Completion.callbackAcknowledged(call, OutcomeDetails.NONE, false));
    worker.applied(sent);

    assertThat(summary(id).state()).isEqualTo(State.SENT_ACKNOWLEDGED);
    assertThat(store.history(id)).as("rows of history: released and acknowledged").hasSize(2);
  }

  @Test
  void aRepeatedLateDeliveryChangesNothing() {
    stored(email());
    TestNode worker = worker("late");
    Claim claim = worker.onTheWireComposed();
    worker.die();

    assertRepeatable(worker, Completion.sent(claim, OutcomeDetails.NONE, false));
  }

  @Test
  void aRepeatedPossibleDuplicateIsSaidAgain() {
    stored(email());
    TestNode late = worker("late");
    Claim stale = late.onTheWireComposed();
    late.die();
    Claim standing = worker("new").claimOnly(State.READY);
    Completion sent = Completion.sent(stale, OutcomeDetails.NONE, false);

    assertThat(late.complete(sent)).isEqualTo(CompletionResult.POSSIBLE_DUPLICATE);
    assertThat(late.complete(sent)).isEqualTo(CompletionResult.POSSIBLE_DUPLICATE);
    assertThat(summary(stale.id()).owner()).isEqualTo(standing.node());
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"CALLING_SENT_CALLBACK", "CALLING_FAILED_CALLBACK", "CALLING_INVALID_CALLBACK"})
  void aRepeatedAcknowledgementChangesNothing(State calling) {
    EmailStateFixture driver = driver();
    Driven driven = driver.to(calling);

    assertRepeatable(driver.worker(), Completion.callbackAcknowledged(driven.held(), WORDS, false));
    assertThat(summary(driven.id()).progress().stageRetries()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"CALLING_SENT_CALLBACK", "CALLING_FAILED_CALLBACK", "CALLING_INVALID_CALLBACK"})
  void aRepeatedCallAgainIsCountedOnce(State calling) {
    EmailStateFixture driver = driver();
    Driven driven = driver.to(calling);

    assertRepeatable(driver.worker(), Completion.callbackRetry(driven.held(), HOUR, WORDS));
    assertThat(summary(driven.id()).progress().stageRetries()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"CALLING_SENT_CALLBACK", "CALLING_FAILED_CALLBACK", "CALLING_INVALID_CALLBACK"})
  void aRepeatedCallNoMoreIsCountedOnce(State calling) {
    EmailStateFixture driver = driver();
    Driven driven = driver.to(calling);

    assertRepeatable(driver.worker(), Completion.callbackAbandoned(driven.held(), WORDS, false));
    assertThat(summary(driven.id()).progress().stageRetries()).isEqualTo(1);
  }

  @Test
  void aBatchOfWhichAPartWasWrittenIsWrittenInFull() {
    List<EmailId> ids = storedPlain(4);
    TestNode worker = worker("one");
    List<Completion> batch =
        worker.allOnTheWire().stream()
            .map(claim -> Completion.sent(claim, OutcomeDetails.NONE, false))
            .toList();
    store.complete(batch.subList(1, 3));

    assertThat(store.complete(batch)).containsOnly(CompletionResult.APPLIED).hasSize(4);

    assertThat(ids).allMatch(id -> summary(id).archived(), "is in the log");
    assertThat(everything()).hasSize(4);
  }

  @Test
  void aRepetitionThatRacesWithItsFirstTryIsCountedOnce() {
    TestNode worker = worker("one");
    Race.repeatedly(
        () -> {
          EmailId id = stored(email());
          Completion retry =
              Completion.retry(
                  worker.onTheWire(),
                  Duration.ofDays(1),
                  OutcomeDetails.of("trouble"),
                  TestNode.COMPOSED);

          List<CompletionResult> results =
              Race.among(
                  2,
                  index ->
                      (index == 0 ? store : fixture.another()).complete(List.of(retry)).get(0));

          assertThat(results).containsOnly(CompletionResult.APPLIED);
          assertThat(summary(id).progress().attempts()).isEqualTo(1);
          assertThat(store.history(id)).as("rows of history for one retry").hasSize(1);
        });
  }

  private void assertRepeatable(TestNode worker, Completion completion) {
    worker.applied(completion);
    StoredEmail once = found(completion.id());
    List<HistoryRecord> history = store.history(completion.id());
    advance(Duration.ofMinutes(1));
    StoredEmail aged = found(completion.id());

    assertThat(worker.complete(completion))
        .as("the answer to the same completion to %s once more", completion.to().wireName())
        .isEqualTo(CompletionResult.APPLIED);

    assertThat(found(completion.id())).as("the email, completed twice").isEqualTo(aged);
    assertThat(once.summary().progress()).isEqualTo(aged.summary().progress());
    assertThat(store.history(completion.id()))
        .as("history of an email that was completed twice")
        .hasSameSizeAs(history);
  }
}
