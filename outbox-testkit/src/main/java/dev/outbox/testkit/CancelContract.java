package dev.outbox.testkit;

import static dev.outbox.testkit.SampleEmail.email;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.State;
import dev.outbox.store.ActionResult;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.HistoryRecord;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.StoredEmail;
import dev.outbox.testkit.EmailStateFixture.Driven;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cancelling, in every state. */
abstract class CancelContract extends StoreContract {

  @ParameterizedTest
  @EnumSource(State.class)
  void cancellingWorksWhereTheTableSaysSo(State state) {
    Driven driven = driver().to(state);
    StoredEmail before = found(driven.id());
    int rows = store.history(driven.id()).size();

    ActionResult moved = move(OperatorAction.CANCEL, driven.id());

    if (state.isCancellable()) {
      assertThat(moved)
          .as("answer in %s", state.wireName())
          .isEqualTo(new ActionResult(driven.id(), ActionResult.Status.DONE, State.FAILED));
      assertCancelled(driven.id(), state);
      assertThat(store.history(driven.id())).as("history").hasSize(rows + 1);
    } else {
      assertThat(moved)
          .as("answer in %s", state.wireName())
          .isEqualTo(new ActionResult(driven.id(), ActionResult.Status.REFUSED, state));
      assertThat(found(driven.id())).as("the email after a refusal").isEqualTo(before);
      assertThat(store.history(driven.id())).as("history after a refusal").hasSize(rows);
    }
  }

  @Test
  void aCancelledEmailIsNotSent() {
    EmailId accepted = stored(email());
    EmailId later = stored(email().sendAt(now().plus(HOUR)));

    store.apply(OperatorAction.CANCEL, List.of(accepted, later));
    advance(HOUR.multipliedBy(2));

    assertThat(worker("one").claim(State.ACCEPTED)).isEmpty();
  }

  @Test
  void cancellingTakesAnEmailFromItsWorker() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    Claim claim = worker.claimOnly(State.ACCEPTED);

    move(OperatorAction.CANCEL, id);

    assertThat(store.beginDelivery(List.of(claim))).as("claims that still stand").isEmpty();
    assertThat(store.claimsOf(worker.node(), ALL)).as("what the worker holds").isEmpty();
    assertThat(worker.die()).as("what could be reaped from the worker").isEmpty();
    assertCancelled(id, State.INTAKING);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theHostIsToldOfACancelIfItWantsToBe(boolean callback) {
    EmailId id = stored(callback ? email().callback() : email());

    move(OperatorAction.CANCEL, id);

    assertThat(worker("caller").claim(State.FAILED))
        .as("failures to be told")
        .hasSize(callback ? 1 : 0);
  }

  @Test
  void cancellingTwiceIsDoneAndChangesNothing() {
    EmailId id = stored(email());
    move(OperatorAction.CANCEL, id);
    StoredEmail once = found(id);
    List<HistoryRecord> history = store.history(id);

    assertThat(move(OperatorAction.CANCEL, id))
        .as("the answer to the same call once more")
        .isEqualTo(new ActionResult(id, ActionResult.Status.DONE, State.FAILED));

    assertThat(found(id)).isEqualTo(once);
    assertThat(store.history(id)).isEqualTo(history);
  }

  @Test
  void cancellingAgainIsDoneAlsoWhenTheHostWasTold() {
    EmailId id = stored(email().callback());
    move(OperatorAction.CANCEL, id);
    TestNode worker = worker("caller");
    worker.applied(
        Completion.callbackAcknowledged(
            worker.claimOnly(State.FAILED), OutcomeDetails.NONE, false));

    assertThat(move(OperatorAction.CANCEL, id))
        .isEqualTo(new ActionResult(id, ActionResult.Status.DONE, State.FAILED_ACKNOWLEDGED));
  }

  @Test
  void cancellingKeepsTheContentForARequeue() {
    EmailId id = driver().to(State.READY, email()).id();

    move(OperatorAction.CANCEL, id);

    assertThat(content(id)).isNotNull();
    assertThat(move(OperatorAction.REQUEUE, id))
        .isEqualTo(new ActionResult(id, ActionResult.Status.DONE, State.READY));
  }

  @ParameterizedTest
  @EnumSource(OperatorAction.class)
  void whatDoesNotExistIsNotFound(OperatorAction move) {
    EmailId unknown = EmailId.next();

    assertThat(move(move, unknown))
        .isEqualTo(new ActionResult(unknown, ActionResult.Status.NOT_FOUND, null));
    assertThat(everything()).isEmpty();
    assertThat(store.history(unknown)).isEmpty();
  }

  @Test
  void answersComeInTheOrderOfTheEmails() {
    EmailId archived = driver().to(State.SENT_ACKNOWLEDGED).id();
    EmailId first = stored(email());
    EmailId unknown = EmailId.next();
    EmailId second = stored(email());

    assertThat(store.apply(OperatorAction.CANCEL, List.of(second, unknown, archived, first)))
        .containsExactly(
            new ActionResult(second, ActionResult.Status.DONE, State.FAILED),
            new ActionResult(unknown, ActionResult.Status.NOT_FOUND, null),
            new ActionResult(archived, ActionResult.Status.REFUSED, State.SENT_ACKNOWLEDGED),
            new ActionResult(first, ActionResult.Status.DONE, State.FAILED));
    assertThat(store.apply(OperatorAction.CANCEL, List.of())).isEmpty();
  }

  private void assertCancelled(EmailId id, State from) {
    EmailSummary email = summary(id);
    assertThat(email.state()).isEqualTo(State.FAILED);
    assertThat(email.code()).isEqualTo(FailureCode.CANCELLED);
    assertThat(email.owner()).as("owner").isNull();
    assertThat(email.archived()).as("in the log").isFalse();
    HistoryRecord row = lastRow(id);
    assertThat(row.from()).isEqualTo(from);
    assertThat(row.to()).isEqualTo(State.FAILED);
    assertThat(row.code()).isEqualTo(FailureCode.CANCELLED);
    assertThat(row.node()).as("node, of what was done by hand").isNull();
  }
}
