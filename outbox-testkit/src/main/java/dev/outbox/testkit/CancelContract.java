package dev.outbox.testkit;

import static dev.outbox.testkit.SampleEmail.email;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.HistoryRow;
import dev.outbox.store.ManualMove;
import dev.outbox.store.Moved;
import dev.outbox.store.Report;
import dev.outbox.store.StoredEmail;
import dev.outbox.testkit.StateDriver.Driven;
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

    Moved moved = move(ManualMove.CANCEL, driven.id());

    if (state.isCancellable()) {
      assertThat(moved)
          .as("answer in %s", state.wireName())
          .isEqualTo(new Moved(driven.id(), Moved.Status.DONE, State.FAILED));
      assertCancelled(driven.id(), state);
      assertThat(store.history(driven.id())).as("history").hasSize(rows + 1);
    } else {
      assertThat(moved)
          .as("answer in %s", state.wireName())
          .isEqualTo(new Moved(driven.id(), Moved.Status.REFUSED, state));
      assertThat(found(driven.id())).as("the email after a refusal").isEqualTo(before);
      assertThat(store.history(driven.id())).as("history after a refusal").hasSize(rows);
    }
  }

  @Test
  void aCancelledEmailIsNotSent() {
    EmailId accepted = stored(email());
    EmailId later = stored(email().sendAt(now().plus(HOUR)));

    store.move(ManualMove.CANCEL, List.of(accepted, later));
    advance(HOUR.multipliedBy(2));

    assertThat(worker("one").claim(State.ACCEPTED)).isEmpty();
  }

  @Test
  void cancellingTakesAnEmailFromItsWorker() {
    EmailId id = stored(email());
    Worker worker = worker("one");
    Claim claim = worker.claimOnly(State.ACCEPTED);

    move(ManualMove.CANCEL, id);

    assertThat(store.proceed(List.of(claim))).as("claims that still stand").isEmpty();
    assertThat(store.held(worker.node(), ALL)).as("what the worker holds").isEmpty();
    assertThat(worker.die()).as("what could be reaped from the worker").isEmpty();
    assertCancelled(id, State.INTAKING);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theHostIsToldOfACancelIfItWantsToBe(boolean callback) {
    EmailId id = stored(callback ? email().callback() : email());

    move(ManualMove.CANCEL, id);

    assertThat(worker("caller").claim(State.FAILED))
        .as("failures to be told")
        .hasSize(callback ? 1 : 0);
  }

  @Test
  void cancellingTwiceIsDoneAndChangesNothing() {
    EmailId id = stored(email());
    move(ManualMove.CANCEL, id);
    StoredEmail once = found(id);
    List<HistoryRow> history = store.history(id);

    assertThat(move(ManualMove.CANCEL, id))
        .as("the answer to the same call once more")
        .isEqualTo(new Moved(id, Moved.Status.DONE, State.FAILED));

    assertThat(found(id)).isEqualTo(once);
    assertThat(store.history(id)).isEqualTo(history);
  }

  @Test
  void cancellingAgainIsDoneAlsoWhenTheHostWasTold() {
    EmailId id = stored(email().callback());
    move(ManualMove.CANCEL, id);
    Worker worker = worker("caller");
    worker.applied(Completion.acknowledged(worker.claimOnly(State.FAILED), Report.NONE, false));

    assertThat(move(ManualMove.CANCEL, id))
        .isEqualTo(new Moved(id, Moved.Status.DONE, State.FAILED_ACKNOWLEDGED));
  }

  @Test
  void cancellingKeepsTheContentForARequeue() {
    EmailId id = driver().to(State.READY, email()).id();

    move(ManualMove.CANCEL, id);

    assertThat(content(id)).isNotNull();
    assertThat(move(ManualMove.REQUEUE, id))
        .isEqualTo(new Moved(id, Moved.Status.DONE, State.READY));
  }

  @ParameterizedTest
  @EnumSource(ManualMove.class)
  void whatDoesNotExistIsNotFound(ManualMove move) {
    EmailId unknown = EmailId.next();

    assertThat(move(move, unknown)).isEqualTo(new Moved(unknown, Moved.Status.NOT_FOUND, null));
    assertThat(everything()).isEmpty();
    assertThat(store.history(unknown)).isEmpty();
  }

  @Test
  void answersComeInTheOrderOfTheEmails() {
    EmailId archived = driver().to(State.SENT_ACKNOWLEDGED).id();
    EmailId first = stored(email());
    EmailId unknown = EmailId.next();
    EmailId second = stored(email());

    assertThat(store.move(ManualMove.CANCEL, List.of(second, unknown, archived, first)))
        .containsExactly(
            new Moved(second, Moved.Status.DONE, State.FAILED),
            new Moved(unknown, Moved.Status.NOT_FOUND, null),
            new Moved(archived, Moved.Status.REFUSED, State.SENT_ACKNOWLEDGED),
            new Moved(first, Moved.Status.DONE, State.FAILED));
    assertThat(store.move(ManualMove.CANCEL, List.of())).isEmpty();
  }

  private void assertCancelled(EmailId id, State from) {
    EmailSummary email = summary(id);
    assertThat(email.state()).isEqualTo(State.FAILED);
    assertThat(email.code()).isEqualTo(FailureCode.CANCELLED);
    assertThat(email.owner()).as("owner").isNull();
    assertThat(email.archived()).as("in the log").isFalse();
    HistoryRow row = lastRow(id);
    assertThat(row.from()).isEqualTo(from);
    assertThat(row.to()).isEqualTo(State.FAILED);
    assertThat(row.code()).isEqualTo(FailureCode.CANCELLED);
    assertThat(row.node()).as("node, of what was done by hand").isNull();
  }
}
