package dev.outbox.testkit;

import static dev.outbox.testkit.SampleEmail.email;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.Priority;
import dev.outbox.email.Progress;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.Completed;
import dev.outbox.store.Completion;
import dev.outbox.store.HistoryRow;
import dev.outbox.store.Lane;
import dev.outbox.store.ManualMove;
import dev.outbox.store.Moved;
import dev.outbox.store.ReapPolicy;
import dev.outbox.store.Report;
import dev.outbox.store.StoredContent;
import dev.outbox.store.StoredEmail;
import dev.outbox.store.UnknownOutcome;
import dev.outbox.testkit.StateDriver.Driven;
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
    Optional<State> to = state.requeuesTo(content != null && content.composed() != null);

    Moved moved = move(ManualMove.REQUEUE, driven.id());

    if (to.isPresent()) {
      assertThat(moved)
          .as("answer in %s", state.wireName())
          .isEqualTo(new Moved(driven.id(), Moved.Status.DONE, to.get()));
      assertRequeued(driven.id(), to.get());
      assertThat(store.history(driven.id())).as("history").hasSize(rows + 1);
      HistoryRow row = lastRow(driven.id());
      assertThat(row.from()).isEqualTo(state);
      assertThat(row.to()).isEqualTo(to.get());
      assertThat(row.node()).as("node, of what was done by hand").isNull();
    } else {
      assertThat(moved)
          .as("answer in %s", state.wireName())
          .isEqualTo(new Moved(driven.id(), Moved.Status.REFUSED, state));
      assertThat(found(driven.id())).as("the email after a refusal").isEqualTo(before);
      assertThat(store.history(driven.id())).as("history after a refusal").hasSize(rows);
    }
  }

  @Test
  void anEmailWithComposedBytesIsSentAsItIs() {
    EmailId id = stored(email());
    Worker worker = worker("one");
    worker.applied(
        Completion.failed(worker.onTheWire(), FailureCode.REFUSED, Report.NONE, Worker.COMPOSED));

    assertThat(move(ManualMove.REQUEUE, id))
        .isEqualTo(new Moved(id, Moved.Status.DONE, State.READY));

    Claim claim = worker.claimOnly(State.READY);
    assertThat(claim.content())
        .isEqualTo(new StoredContent(email().build().payload(), Worker.COMPOSED));
  }

  @Test
  void everyCounterStartsAnewButTheGeneration() {
    EmailId id = stored(email().callback());
    Worker worker = worker("one");
    worker.onTheWire();
    worker.die();
    worker.applied(
        Completion.retry(worker.onTheWire(), Duration.ZERO, Report.of("trouble"), Worker.COMPOSED));
    worker.applied(
        Completion.failed(worker.claimOnly(State.READY), FailureCode.ATTEMPTS, Report.NONE, null));
    worker.applied(Completion.callAgain(worker.claimOnly(State.FAILED), HOUR, Report.of("503")));
    assertThat(summary(id).progress()).isEqualTo(new Progress(0, 1, 1, 1));

    move(ManualMove.REQUEUE, id);
    assertThat(summary(id).progress()).isEqualTo(new Progress(1, 0, 0, 0));

    worker.applied(
        Completion.failed(worker.claimOnly(State.READY), FailureCode.REFUSED, Report.NONE, null));
    move(ManualMove.REQUEUE, id);
    assertThat(summary(id).progress()).isEqualTo(new Progress(2, 0, 0, 0));
  }

  @Test
  void theDeadlineIsRenewedByTheWholeLifetime() {
    EmailId id = stored(email().sendAt(now().plus(HOUR)).lifetime(Duration.ofHours(6)));
    for (int i = 0; i < 2; i++) {
      advance(Duration.ofHours(10));
      Worker worker = worker("one");
      worker.applied(
          Completion.failed(
              worker.claimOnly(State.ACCEPTED), FailureCode.EXPIRED, Report.NONE, null));
      advance(Duration.ofHours(10));

      move(ManualMove.REQUEUE, id);

      EmailSummary email = summary(id);
      assertThat(email.due()).as("due at once").isEqualTo(email.timeline().updated());
      assertThat(between(email.due(), email.deadline()))
          .as("from the requeue to the deadline")
          .isEqualTo(Duration.ofHours(6));
    }
    assertThat(worker("two").claimOnly(State.ACCEPTED).expiresIn())
        .isCloseTo(Duration.ofHours(6), SLACK);
  }

  @Test
  void whatWentWrongIsClearedAndRefusedRecipientsAreOfferedOnceMore() {
    EmailId id = stored(email());
    Worker worker = worker("one");
    RecipientResult accepted =
        new RecipientResult("ada@example.com", RecipientResult.Status.ACCEPTED, "250 ok");
    RecipientResult refused =
        new RecipientResult("alan@example.com", RecipientResult.Status.REFUSED, "550 no");
    worker.applied(
        Completion.failed(
            worker.onTheWire(),
            FailureCode.REFUSED,
            Report.of("refused").recipients(List.of(accepted, refused)),
            null));

    move(ManualMove.REQUEUE, id);

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
    Worker worker = worker("one");
    worker.onTheWire();
    worker.die(new ReapPolicy(1, 1, UnknownOutcome.RESEND));
    assertThat(summary(id).code()).isEqualTo(FailureCode.WORKER_DIED);

    move(ManualMove.REQUEUE, id);

    assertThat(worker.claim(State.ACCEPTED, Map.of(Lane.SUSPECT, 1))).as("suspects").isEmpty();
    assertThat(worker.claim(State.ACCEPTED, Map.of(Lane.BULK, 1))).as("bulk mail").hasSize(1);
  }

  @Test
  void requeueingTakesAnEmailFromTheOneWhoTellsTheHost() {
    StateDriver driver = driver();
    Driven driven = driver.to(State.CALLING_INVALID_CALLBACK);

    move(ManualMove.REQUEUE, driven.id());

    assertThat(driver.worker().complete(Completion.callAgain(driven.held(), HOUR, Report.NONE)))
        .isEqualTo(Completed.LOST);
    assertThat(store.held(driver.worker().node(), ALL)).isEmpty();
    assertRequeued(driven.id(), State.ACCEPTED);
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"CALLING_FAILED_CALLBACK", "CALLING_INVALID_CALLBACK"})
  void anEmailWhoseCallbackWaitsOrWasGivenUpCanBeRequeued(State calling) {
    StateDriver driver = driver();
    Driven waits = driver.to(calling);
    driver.callLater(waits.held(), HOUR);
    move(ManualMove.REQUEUE, waits.id());
    assertRequeued(waits.id(), State.ACCEPTED);
    move(ManualMove.CANCEL, waits.id());
    driver.worker().claim(State.FAILED);

    Driven givenUp = driver.to(calling);
    driver.worker().applied(Completion.callNoMore(givenUp.held(), Report.NONE, false));
    move(ManualMove.REQUEUE, givenUp.id());
    assertRequeued(givenUp.id(), State.ACCEPTED);
  }

  @Test
  void requeueingOnceMoreDoesNotMakeAnotherGeneration() {
    EmailId id = driver().to(State.FAILED).id();
    move(ManualMove.REQUEUE, id);
    StoredEmail once = found(id);

    assertThat(move(ManualMove.REQUEUE, id).state()).isEqualTo(State.ACCEPTED);

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
                  (index == 0 ? store : fixture.another()).move(ManualMove.REQUEUE, List.of(id)));

          assertThat(summary(id).progress().generation()).as("generation").isEqualTo(1);
          move(ManualMove.CANCEL, id);
        });
  }

  @Test
  void aRequeuedEmailCanBeSent() {
    EmailId id = driver().to(State.FAILED_ACKNOWLEDGED).id();
    move(ManualMove.REQUEUE, id);
    Worker worker = worker("one");

    worker.applied(Completion.sent(worker.onTheWire(), Report.NONE, false));

    assertThat(summary(id).state()).isEqualTo(State.SENT);
    assertThat(worker.claimOnly(State.SENT).id()).as("the host is told again").isEqualTo(id);
  }

  private void assertRequeued(EmailId id, State to) {
    EmailSummary email = summary(id);
    assertThat(email.state()).isEqualTo(to);
    assertThat(email.owner()).as("owner").isNull();
    assertThat(email.due()).as("due at once").isEqualTo(email.timeline().updated());
    assertThat(email.progress()).isEqualTo(new Progress(1, 0, 0, 0));
    assertThat(email.code()).as("code").isNull();
    assertThat(email.reason()).as("reason").isNull();
    assertThat(content(id)).as("content").isNotNull();
  }
}
