package dev.outbox.testkit;

import static dev.outbox.testkit.SampleEmail.email;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.Bytes;
import dev.outbox.email.Counters;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.StoredContent;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each completion of intake and delivery writes, while its claim stands. */
abstract class CompletionContract extends StoreContract {

  private static final OutcomeDetails TROUBLE =
      OutcomeDetails.of("greylisted").response("451 4.7.1 later, please");
  private static final List<RecipientResult> RESULTS =
      List.of(
          new RecipientResult("ada@example.com", RecipientResult.Status.ACCEPTED, "250 2.1.5 ok"),
          new RecipientResult("zo\u00eb@example.com", RecipientResult.Status.REFUSED, "550 \u274c"),
          new RecipientResult("alan@example.com", RecipientResult.Status.PENDING, null));

  @Test
  void readyStoresTheComposedBytesAndWaits() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    Claim claim = worker.claimOnly(State.ACCEPTED);
    advance(HOUR);

    worker.applied(Completion.postponed(claim, HOUR, OutcomeDetails.NONE, TestNode.COMPOSED));

    EmailSummary email = summary(id);
    assertWaits(email, State.READY, HOUR);
    assertThat(email.progress()).isEqualTo(Counters.NONE);
    assertThat(between(email.timeline().preparing(), email.timeline().prepared()))
        .as("from preparing to prepared")
        .isCloseTo(HOUR, SLACK);
    assertThat(email.timeline().sending()).as("sending").isNull();
    assertThat(content(id))
        .isEqualTo(new StoredContent(email().build().payload(), TestNode.COMPOSED));
    assertThat(store.history(id)).as("history of the normal way").isEmpty();
  }

  @Test
  void retryUsesUpAnAttemptAndWaits() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    Claim claim = worker.onTheWire();

    worker.applied(Completion.retry(claim, HOUR, TROUBLE, TestNode.COMPOSED));

    EmailSummary email = summary(id);
    assertWaits(email, State.READY, HOUR);
    assertThat(email.progress()).isEqualTo(new Counters(0, 1, 0, 0));
    assertThat(email.reason()).isEqualTo("greylisted");
    assertThat(email.response()).isEqualTo("451 4.7.1 later, please");
    assertThat(email.code()).isNull();
    assertThat(Objects.requireNonNull(content(id)).composed()).isEqualTo(TestNode.COMPOSED);
  }

  @Test
  void aRetryWithoutNewBytesKeepsTheStoredOnes() {
    EmailId id = stored(email());
    TestNode worker = worker("one");

    worker.applied(Completion.retry(worker.onTheWireComposed(), HOUR, TROUBLE, null));

    assertThat(Objects.requireNonNull(content(id)).composed()).isEqualTo(TestNode.COMPOSED);
  }

  @Test
  void aRetryWithNewBytesReplacesTheStoredOnes() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    Bytes other = Bytes.utf8("Subject: other");

    worker.applied(Completion.retry(worker.onTheWireComposed(), HOUR, TROUBLE, other));

    assertThat(Objects.requireNonNull(content(id)).composed()).isEqualTo(other);
  }

  @Test
  void releasedFromIntakeGoesBackWithoutAnAttempt() {
    EmailId id = stored(email());
    TestNode worker = worker("one");

    worker.applied(
        Completion.released(worker.claimOnly(State.ACCEPTED), HOUR, OutcomeDetails.of("closing")));

    assertWaits(summary(id), State.ACCEPTED, HOUR);
    assertThat(summary(id).progress()).isEqualTo(Counters.NONE);
    assertThat(summary(id).reason()).isEqualTo("closing");
    assertThat(content(id)).isEqualTo(new StoredContent(email().build().payload(), null));
  }

  @Test
  void releasedFromTheWireGoesBackToBeSentAsItIsIfItWasComposed() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    Claim claim = worker.onTheWireComposed();

    worker.applied(Completion.released(claim, Duration.ZERO, OutcomeDetails.NONE));

    assertWaits(summary(id), State.READY, Duration.ZERO);
    assertThat(summary(id).progress()).isEqualTo(Counters.NONE);
    assertThat(content(id)).isEqualTo(claim.content());
  }

  @Test
  void releasedFromTheWireGoesBackToIntakeIfItWasNotComposed() {
    EmailId id = stored(email());
    TestNode worker = worker("one");

    worker.applied(Completion.released(worker.onTheWire(), Duration.ZERO, OutcomeDetails.NONE));

    assertWaits(summary(id), State.ACCEPTED, Duration.ZERO);
    assertThat(summary(id).progress()).isEqualTo(Counters.NONE);
  }

  @Test
  void putBackCountsTheTryUntilTheNextStage() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    for (int tries = 1; tries < 3; tries++) {
      worker.applied(
          Completion.deferredToOtherNode(
              worker.claimOnly(State.ACCEPTED),
              Duration.ZERO,
              OutcomeDetails.of("unknown template")));
      assertWaits(summary(id), State.ACCEPTED, Duration.ZERO);
      assertThat(summary(id).progress()).isEqualTo(new Counters(0, 0, 0, tries));
    }

    worker.makeReady();

    assertThat(summary(id).progress()).isEqualTo(Counters.NONE);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void failedKeepsTheContentForARequeue(boolean callback) {
    EmailId id = stored(callback ? email().callback() : email());
    TestNode worker = worker("one");
    Claim claim = worker.onTheWire();

    worker.applied(
        Completion.failed(
            claim,
            FailureCode.REFUSED,
            OutcomeDetails.of("refused").response("550 no").recipients(RESULTS),
            TestNode.COMPOSED));

    EmailSummary email = summary(id);
    assertSettled(email, State.FAILED, callback);
    assertThat(email.code()).isEqualTo(FailureCode.REFUSED);
    assertThat(email.reason()).isEqualTo("refused");
    assertThat(email.response()).isEqualTo("550 no");
    assertThat(email.recipients()).isEqualTo(RESULTS);
    assertThat(email.timeline().sent()).as("sent").isNull();
    assertThat(email.archived()).isFalse();
    assertThat(content(id))
        .isEqualTo(new StoredContent(email().build().payload(), TestNode.COMPOSED));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void invalidKeepsTheContentAndSaysWhy(boolean callback) {
    EmailId id = stored(callback ? email().callback() : email());
    TestNode worker = worker("one");

    worker.applied(
        Completion.invalid(
            worker.claimOnly(State.ACCEPTED), OutcomeDetails.of("no variable total")));

    EmailSummary email = summary(id);
    assertSettled(email, State.INVALID, callback);
    assertThat(email.code()).isNull();
    assertThat(email.reason()).isEqualTo("no variable total");
    assertThat(email.archived()).isFalse();
    assertThat(content(id)).isEqualTo(new StoredContent(email().build().payload(), null));
  }

  @Test
  void anEmailThatExpiredAtIntakeFails() {
    EmailId id = stored(email());
    TestNode worker = worker("one");

    worker.applied(
        Completion.failed(
            worker.claimOnly(State.ACCEPTED), FailureCode.EXPIRED, OutcomeDetails.NONE, null));

    assertSettled(summary(id), State.FAILED, false);
    assertThat(summary(id).code()).isEqualTo(FailureCode.EXPIRED);
  }

  @Test
  void sentClearsWhatWentWrongBefore() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    worker.applied(Completion.retry(worker.onTheWire(), Duration.ZERO, TROUBLE, TestNode.COMPOSED));
    Claim claim = worker.claimOnly(State.READY);

    worker.applied(
        Completion.sent(
            claim, OutcomeDetails.NONE.response("250 queued").recipients(RESULTS), false));

    EmailSummary email = summary(id);
    assertSettled(email, State.SENT, false);
    assertThat(email.code()).as("code").isNull();
    assertThat(email.reason()).as("reason").isNull();
    assertThat(email.response()).isEqualTo("250 queued");
    assertThat(email.recipients()).isEqualTo(RESULTS);
    assertThat(email.progress()).isEqualTo(new Counters(0, 1, 0, 0));
    assertThat(email.timeline().sent()).isEqualTo(email.timeline().updated());
  }

  @Test
  void manyCompletionsAreWrittenByOneCall() {
    storedPlain(200);
    TestNode worker = worker("one");

    List<CompletionResult> results =
        store.complete(
            worker.allOnTheWire().stream()
                .map(claim -> Completion.sent(claim, OutcomeDetails.NONE, false))
                .toList());

    assertThat(results).hasSize(200).containsOnly(CompletionResult.APPLIED);
    assertThat(store.stats()).as("emails that are left").isEmpty();
  }

  @Test
  void completingNothingIsNothing() {
    assertThat(store.complete(List.of())).isEmpty();
  }

  private static void assertWaits(EmailSummary email, State state, Duration dueIn) {
    assertThat(email.state()).as("state").isEqualTo(state);
    assertThat(email.owner()).as("owner").isNull();
    assertThat(between(email.timeline().updated(), email.due()))
        .as("due, from the change on")
        .isEqualTo(dueIn);
  }

  private static void assertSettled(EmailSummary email, State state, boolean callback) {
    assertThat(email.state()).as("state").isEqualTo(state);
    assertThat(email.owner()).as("owner").isNull();
    assertThat(email.timeline().settled()).as("settled").isEqualTo(email.timeline().updated());
    if (callback) {
      assertThat(email.due()).as("due, for the callback").isEqualTo(email.timeline().updated());
    } else {
      assertThat(email.due()).as("due, with nobody to be told").isNull();
    }
  }
}
