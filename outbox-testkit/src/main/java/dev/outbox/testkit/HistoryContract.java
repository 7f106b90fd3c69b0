package dev.outbox.testkit;

import static dev.outbox.testkit.SampleEmail.email;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.FailureCode;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.HistoryRecord;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutcomeDetails;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What happened out of the ordinary can be read back, in order, also from the log. */
abstract class HistoryContract extends StoreContract {

  @Test
  void theNormalWayLeavesNoRows() {
    EmailId direct = stored(email());
    TestNode worker = worker("one");
    worker.applied(Completion.sent(worker.onTheWire(), OutcomeDetails.NONE, false));
    EmailId waited = stored(email());
    worker.applied(Completion.sent(worker.onTheWireComposed(), OutcomeDetails.NONE, false));

    assertThat(store.history(direct)).as("history of the fast way").isEmpty();
    assertThat(store.history(waited)).as("history of the way by READY").isEmpty();
  }

  @Test
  void anUnknownEmailHasNoHistory() {
    assertThat(store.history(EmailId.next())).isEmpty();
  }

  @Test
  void aRowSaysAllThatIsKnown() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    Claim intake = worker.claimOnly(State.ACCEPTED);
    advance(HOUR);
    Claim claim = worker.proceed(intake);
    advance(HOUR);

    worker.applied(
        Completion.failedAfterAttempt(
            claim,
            FailureCode.REFUSED,
            OutcomeDetails.of("refused").response("550 5.1.1 no such mailbox"),
            null));

    HistoryRecord row = lastRow(id);
    assertThat(row.from()).isEqualTo(State.PROCESSING);
    assertThat(row.to()).isEqualTo(State.FAILED);
    assertThat(row.at()).as("at").isEqualTo(summary(id).timeline().updated());
    assertThat(row.preparing()).isEqualTo(summary(id).timeline().preparing());
    assertThat(row.sending()).isEqualTo(summary(id).timeline().sending());
    assertThat(between(row.preparing(), row.at())).isCloseTo(HOUR.multipliedBy(2), SLACK);
    assertThat(between(row.sending(), row.at())).isCloseTo(HOUR, SLACK);
    assertThat(row.generation()).isZero();
    assertThat(row.attempt()).as("with the delivery that failed").isEqualTo(1);
    assertThat(summary(id).progress().attempts()).isEqualTo(1);
    assertThat(row.node()).isEqualTo(worker.node());
    assertThat(row.code()).isEqualTo(FailureCode.REFUSED);
    assertThat(row.reason()).isEqualTo("refused");
    assertThat(row.detail()).isEqualTo("550 5.1.1 no such mailbox");
  }

  @Test
  void aRowKeepsTheTimesThatALaterTryOverwrites() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    worker.applied(
        Completion.retry(worker.onTheWire(), HOUR, OutcomeDetails.of("first"), TestNode.COMPOSED));
    advance(HOUR);
    worker.applied(
        Completion.retry(worker.claimOnly(State.READY), HOUR, OutcomeDetails.of("second"), null));

    List<HistoryRecord> rows = store.history(id);

    assertThat(rows).extracting(HistoryRecord::reason).containsExactly("first", "second");
    assertThat(rows).extracting(HistoryRecord::attempt).containsExactly(1, 2);
    assertThat(between(rows.get(0).sending(), rows.get(1).sending()))
        .as("between the two times it was sent")
        .isCloseTo(HOUR, SLACK);
    assertThat(rows.get(1).preparing())
        .as("preparing, which was done once")
        .isEqualTo(rows.get(0).preparing());
  }

  @Test
  void rowsComeInTheOrderInWhichThingsHappened() {
    EmailId id = stored(email().callback());
    TestNode worker = worker("one");
    worker.applied(
        Completion.released(
            worker.claimOnly(State.ACCEPTED), Duration.ZERO, OutcomeDetails.of("1")));
    worker.applied(
        Completion.retry(
            worker.onTheWire(), Duration.ZERO, OutcomeDetails.of("2"), TestNode.COMPOSED));
    worker.claimOnly(State.READY);
    worker.die();
    worker.applied(
        Completion.failed(
            worker.claimOnly(State.READY), FailureCode.ATTEMPTS, OutcomeDetails.of("4"), null));
    worker.applied(
        Completion.callbackRetry(
            worker.claimOnly(State.FAILED), Duration.ZERO, OutcomeDetails.of("5")));
    worker.applied(
        Completion.callbackAcknowledged(
            worker.claimOnly(State.CALLING_FAILED_CALLBACK), OutcomeDetails.of("6"), false));
    move(OperatorAction.REQUEUE, id);
    move(OperatorAction.CANCEL, id);

    assertThat(steps(id))
        .containsExactly(
            "INTAKING to ACCEPTED",
            "PROCESSING to READY",
            "PROCESSING to READY",
            "PROCESSING to FAILED",
            "CALLING-FAILED-CALLBACK to CALLING-FAILED-CALLBACK",
            "CALLING-FAILED-CALLBACK to FAILED-ACKNOWLEDGED",
            "FAILED-ACKNOWLEDGED to READY",
            "READY to FAILED");
    List<HistoryRecord> rows = store.history(id);
    assertThat(rows).extracting(HistoryRecord::at).isSorted();
    assertThat(rows.subList(6, 8))
        .as("rows of what was done by hand")
        .extracting(HistoryRecord::node)
        .containsOnlyNulls();
    assertThat(rows.get(7).code()).isEqualTo(FailureCode.CANCELLED);
    assertThat(rows.get(7).generation()).as("generation after a requeue").isEqualTo(1);
  }

  @Test
  void theHistoryCanBeReadAfterArchiving() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    worker.applied(
        Completion.retry(
            worker.onTheWire(),
            Duration.ZERO,
            OutcomeDetails.of("greylisted").response("451 later"),
            TestNode.COMPOSED));
    Claim claim = worker.claimOnly(State.READY);
    List<HistoryRecord> before = store.history(id);

    worker.applied(Completion.sent(claim, OutcomeDetails.NONE, false));

    assertThat(before).hasSize(1);
    assertThat(store.history(id)).as("history in the log").isEqualTo(before);
  }

  @Test
  void theStepThatArchivesIsInTheHistoryToo() {
    EmailId id = stored(email().callback());
    TestNode worker = worker("one");
    worker.applied(Completion.sent(worker.onTheWire(), OutcomeDetails.NONE, false));
    worker.applied(
        Completion.callbackRetry(
            worker.claimOnly(State.SENT), Duration.ZERO, OutcomeDetails.of("503")));
    worker.applied(
        Completion.callbackAcknowledged(
            worker.claimOnly(State.CALLING_SENT_CALLBACK),
            OutcomeDetails.NONE.response("204"),
            false));

    assertThat(steps(id))
        .containsExactly(
            "CALLING-SENT-CALLBACK to CALLING-SENT-CALLBACK",
            "CALLING-SENT-CALLBACK to SENT-ACKNOWLEDGED");
    assertThat(lastRow(id).detail()).isEqualTo("204");
  }

  @Test
  void whoSentAnEmailIsKnownAfterArchiving() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    assertThat(summary(id).worker()).as("worker before any claim").isNull();
    Claim claim = worker.onTheWire();
    assertThat(claim.email().worker()).as("worker in the claim").isEqualTo(worker.node());
    assertThat(summary(id).worker()).as("worker while it is held").isEqualTo(worker.node());

    worker.applied(Completion.sent(claim, OutcomeDetails.NONE, false));

    assertThat(summary(id).archived()).as("in the log").isTrue();
    assertThat(summary(id).owner()).as("owner").isNull();
    assertThat(summary(id).worker()).as("worker of what was sent").isEqualTo(worker.node());
    move(OperatorAction.ERASE, id);
    assertThat(summary(id).worker()).as("worker of what was erased").isEqualTo(worker.node());
  }

  @Test
  void whoHadAnEmailLastIsKnownWhileItWaits() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    worker.makeReady();

    assertThat(summary(id).owner()).as("owner").isNull();
    assertThat(summary(id).worker()).as("worker of what is ready").isEqualTo(worker.node());
  }

  @Test
  void whoTakesOverFromTheDeadIsTheWorkerFromThenOn() {
    EmailId id = stored(email());
    TestNode dead = worker("dead");
    TestNode other = worker("other");
    dead.onTheWire();
    dead.die();
    assertThat(summary(id).worker()).as("worker after the reap").isEqualTo(dead.node());

    Claim claim = other.onTheWire();
    assertThat(summary(id).worker()).as("worker after the claim").isEqualTo(other.node());
    other.applied(Completion.sent(claim, OutcomeDetails.NONE, false));

    assertThat(summary(id).worker()).as("worker in the log").isEqualTo(other.node());
  }

  @Test
  void whoCallsBackIsNotTakenForWhoSentIt() {
    EmailId id = stored(email().callback());
    TestNode sender = worker("sender");
    TestNode caller = worker("caller");
    sender.applied(Completion.sent(sender.onTheWire(), OutcomeDetails.NONE, false));

    Claim call = caller.claimOnly(State.SENT);
    assertThat(summary(id).worker()).as("worker during the call").isEqualTo(sender.node());
    caller.applied(Completion.callbackAcknowledged(call, OutcomeDetails.NONE, false));

    assertThat(summary(id).archived()).as("in the log").isTrue();
    assertThat(summary(id).worker()).as("worker in the log").isEqualTo(sender.node());
    assertThat(lastRow(id).node()).as("who called back").isEqualTo(caller.node());
  }

  @Test
  void eachEmailHasAHistoryOfItsOwn() {
    storedPlain(2);
    TestNode worker = worker("one");
    List<Claim> claims = worker.claim(State.ACCEPTED);

    store.complete(
        List.of(
            Completion.invalid(claims.get(0), OutcomeDetails.of("zero")),
            Completion.invalid(claims.get(1), OutcomeDetails.of("one"))));

    assertThat(store.history(claims.get(0).id()))
        .extracting(HistoryRecord::reason)
        .containsExactly("zero");
    assertThat(store.history(claims.get(1).id()))
        .extracting(HistoryRecord::reason)
        .containsExactly("one");
  }

  private List<String> steps(EmailId id) {
    return store.history(id).stream()
        .map(row -> row.from().wireName() + " to " + row.to().wireName())
        .toList();
  }
}
