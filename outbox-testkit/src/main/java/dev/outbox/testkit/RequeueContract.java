package dev.outbox.testkit;

import static dev.outbox.testkit.SampleEmail.email;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.Counters;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.Priority;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.State;
import dev.outbox.settings.UnknownOutcomePolicy;
import dev.outbox.store.ActionResult;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.HistoryRecord;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.PriorityLane;
import dev.outbox.store.ReapPolicy;
import dev.outbox.store.StoredContent;
import dev.outbox.store.StoredEmail;
import dev.outbox.testkit.EmailStateFixture.Driven;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sending once more what failed, in every state. */
abstract class RequeueContract extends StoreContract {

  @ParameterizedTest
  @EnumSource(State.class)
  void requeueingWorksWhereTheTableSaysSo(State state) {
    Driven driven = driver().to(state);
    StoredEmail before = found(driven.id());
    int rows = store.history(driven.id()).size();
    StoredContent content = before.content();
    Optional<State> to = state.stateAfterRequeue(content != null && content.composed() != null);

    ActionResult moved = move(OperatorAction.REQUEUE, driven.id());

    if (to.isPresent()) {
      assertThat(moved)
          .as("answer in %s", state.wireName())
          .isEqualTo(new ActionResult(driven.id(), ActionResult.Status.DONE, to.get()));
      assertRequeued(driven.id(), to.get());
      assertThat(store.history(driven.id())).as("history").hasSize(rows + 1);
      HistoryRecord row = lastRow(driven.id());
      assertThat(row.from()).isEqualTo(state);
      assertThat(row.to()).isEqualTo(to.get());
      assertThat(row.node()).as("node, of what was done by hand").isNull();
    } else {
      assertThat(moved)
          .as("answer in %s", state.wireName())
          .isEqualTo(new ActionResult(driven.id(), ActionResult.Status.REFUSED, state));
      assertThat(found(driven.id())).as("the email after a refusal").isEqualTo(before);
      assertThat(store.history(driven.id())).as("history after a refusal").hasSize(rows);
    }
  }

  @Test
  void anEmailWithComposedBytesIsSentAsItIs() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    worker.applied(
        Completion.failed(
            worker.onTheWire(), FailureCode.REFUSED, OutcomeDetails.NONE, TestNode.COMPOSED));

    assertThat(move(OperatorAction.REQUEUE, id))
        .isEqualTo(new ActionResult(id, ActionResult.Status.DONE, State.READY));

    Claim claim = worker.claimOnly(State.READY);
    assertThat(claim.content())
        .isEqualTo(new StoredContent(email().build().payload(), TestNode.COMPOSED));
  }

  @Test
  void everyCounterStartsAnewButTheGeneration() {
    EmailId id = stored(email().callback());
    TestNode worker = worker("one");
    worker.onTheWire();
    worker.die();
    worker.applied(
        Completion.retry(
            worker.onTheWire(), Duration.ZERO, OutcomeDetails.of("trouble"), TestNode.COMPOSED));
    worker.applied(
        Completion.failed(
            worker.claimOnly(State.READY), FailureCode.ATTEMPTS, OutcomeDetails.NONE, null));
    worker.applied(
        Completion.callbackRetry(worker.claimOnly(State.FAILED), HOUR, OutcomeDetails.of("503")));
    assertThat(summary(id).progress()).isEqualTo(new Counters(0, 1, 1, 1));

    move(OperatorAction.REQUEUE, id);
    assertThat(summary(id).progress()).isEqualTo(new Counters(1, 0, 0, 0));

    worker.applied(
        Completion.failed(
            worker.claimOnly(State.READY), FailureCode.REFUSED, OutcomeDetails.NONE, null));
    move(OperatorAction.REQUEUE, id);
    assertThat(summary(id).progress()).isEqualTo(new Counters(2, 0, 0, 0));
  }

  @Test
  void theDeadlineIsRenewedByTheWholeLifetime() {
    EmailId id = stored(email().sendAt(now().plus(HOUR)).lifetime(Duration.ofHours(6)));
    for (int i = 0; i < 2; i++) {
      advance(Duration.ofHours(10));
      TestNode worker = worker("one");
      worker.applied(
          Completion.failed(
              worker.claimOnly(State.ACCEPTED), FailureCode.EXPIRED, OutcomeDetails.NONE, null));
      advance(Duration.ofHours(10));

      move(OperatorAction.REQUEUE, id);

      EmailSummary email = summary(id);
      assertThat(email.due()).as("due at once").isEqualTo(email.timeline().updated());
      assertThat(between(email.due(), email.deadline()))
          .as("from the requeue to the deadline")
          .isEqualTo(Duration.ofHours(6));
    }
    assertThat(worker("two").claimOnly(State.ACCEPTED).timeToExpiry())
        .isCloseTo(Duration.ofHours(6), SLACK);
  }

  @Test
  void whatWentWrongIsClearedAndRefusedRecipientsAreOfferedOnceMore() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    RecipientResult accepted =
        new RecipientResult("ada@example.com", RecipientResult.Status.ACCEPTED, "250 ok");
    RecipientResult refused =
        new RecipientResult("alan@example.com", RecipientResult.Status.REFUSED, "550 no");
    worker.applied(
        Completion.failed(
            worker.onTheWire(),
            FailureCode.REFUSED,
            OutcomeDetails.of("refused").recipients(List.of(accepted, refused)),
            null));

    move(OperatorAction.REQUEUE, id);

    EmailSummary email = summary(id);
    assertThat(email.code()).as("code").isNull();
    assertThat(email.reason()).as("reason").isNull();
    assertThat(email.recipients())
        .as("recipients: the accepted one is done with, the refused one is open")
        .containsExactly(accepted, refused.reopened());
  }

  @Test
  void theLaneIsTheOneOfItsPriorityAgain() {
    EmailId id = stored(email().priority(Priority.BULK));
    TestNode worker = worker("one");
    worker.onTheWire();
    worker.die(new ReapPolicy(1, 1, UnknownOutcomePolicy.RESEND));
    assertThat(summary(id).code()).isEqualTo(FailureCode.WORKER_DIED);

    move(OperatorAction.REQUEUE, id);

    assertThat(worker.claim(State.ACCEPTED, Map.of(PriorityLane.SUSPECT, 1)))
        .as("suspects")
        .isEmpty();
    assertThat(worker.claim(State.ACCEPTED, Map.of(PriorityLane.BULK, 1)))
        .as("bulk mail")
        .hasSize(1);
  }

  @Test
  void requeueingTakesAnEmailFromTheOneWhoTellsTheHost() {
    EmailStateFixture driver = driver();
    Driven driven = driver.to(State.CALLING_INVALID_CALLBACK);

    move(OperatorAction.REQUEUE, driven.id());

    assertThat(
            driver
                .worker()
                .complete(Completion.callbackRetry(driven.held(), HOUR, OutcomeDetails.NONE)))
        .isEqualTo(CompletionResult.LOST);
    assertThat(store.claimsOf(driver.worker().node(), ALL)).isEmpty();
    assertRequeued(driven.id(), State.ACCEPTED);
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"CALLING_FAILED_CALLBACK", "CALLING_INVALID_CALLBACK"})
  void anEmailWhoseCallbackWaitsOrWasGivenUpCanBeRequeued(State calling) {
    EmailStateFixture driver = driver();
    Driven waits = driver.to(calling);
    driver.callLater(waits.held(), HOUR);
    move(OperatorAction.REQUEUE, waits.id());
    assertRequeued(waits.id(), State.ACCEPTED);
    move(OperatorAction.CANCEL, waits.id());
    driver.worker().claim(State.FAILED);

    Driven givenUp = driver.to(calling);
    driver
        .worker()
        .applied(Completion.callbackAbandoned(givenUp.held(), OutcomeDetails.NONE, false));
    move(OperatorAction.REQUEUE, givenUp.id());
    assertRequeued(givenUp.id(), State.ACCEPTED);
  }

  @Test
  void requeueingOnceMoreDoesNotMakeAnotherGeneration() {
    EmailId id = driver().to(State.FAILED).id();
    move(OperatorAction.REQUEUE, id);
    StoredEmail once = found(id);

    assertThat(move(OperatorAction.REQUEUE, id).state()).isEqualTo(State.ACCEPTED);

    assertThat(found(id)).as("the email, requeued twice").isEqualTo(once);
  }

  @Test
  void twoPeopleWhoRequeueAtOnceMakeOneGeneration() {
    Race.repeatedly(
        () -> {
          EmailId id = driver().to(State.FAILED, email()).id();

          Race.among(
              2,
              index ->
                  (index == 0 ? store : fixture.another())
                      .apply(OperatorAction.REQUEUE, List.of(id)));

          assertThat(summary(id).progress().generation()).as("generation").isEqualTo(1);
          move(OperatorAction.CANCEL, id);
        });
  }

  @Test
  void aRequeuedEmailCanBeSent() {
    EmailId id = driver().to(State.FAILED_ACKNOWLEDGED).id();
    move(OperatorAction.REQUEUE, id);
    TestNode worker = worker("one");

    worker.applied(Completion.sent(worker.onTheWire(), OutcomeDetails.NONE, false));

    assertThat(summary(id).state()).isEqualTo(State.SENT);
    assertThat(worker.claimOnly(State.SENT).id()).as("the host is told again").isEqualTo(id);
  }

  private void assertRequeued(EmailId id, State to) {
    EmailSummary email = summary(id);
    assertThat(email.state()).isEqualTo(to);
    assertThat(email.owner()).as("owner").isNull();
    assertThat(email.due()).as("due at once").isEqualTo(email.timeline().updated());
    assertThat(email.progress()).isEqualTo(new Counters(1, 0, 0, 0));
    assertThat(email.code()).as("code").isNull();
    assertThat(email.reason()).as("reason").isNull();
    assertThat(content(id)).as("content").isNotNull();
  }
}
