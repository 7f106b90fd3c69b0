package dev.outbox.testkit;

import static dev.outbox.testkit.SampleEmail.email;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.settings.UnknownOutcomePolicy;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.HistoryRecord;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.ReapPolicy;
import dev.outbox.store.StoredContent;
import dev.outbox.store.StoredEmail;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A delivery that did happen and is reported late: recorded while nobody else has taken the email,
 * and never silent.
 */
abstract class LateDeliveryContract extends StoreContract {

  private static final ReapPolicy HOLD = new ReapPolicy(2, 5, UnknownOutcomePolicy.HOLD);
  private static final ReapPolicy GIVE_UP = new ReapPolicy(1, 1, UnknownOutcomePolicy.RESEND);
  private static final OutcomeDetails TAKEN = OutcomeDetails.NONE.response("250 queued as 4711");

  @Test
  void aLateDeliveryIsArchivedFromReady() {
    EmailId id = stored(email());
    TestNode late = worker("late");
    Claim claim = late.onTheWireComposed();
    late.die();
    assertThat(summary(id).state()).isEqualTo(State.READY);

    assertArchivedLate(late, claim);
    assertThat(worker("new").claim(State.READY)).as("emails to send once more").isEmpty();
  }

  @Test
  void aLateDeliveryIsArchivedFromAccepted() {
    EmailId id = stored(email());
    TestNode late = worker("late");
    Claim claim = late.onTheWire();
    late.die();
    assertThat(summary(id).state()).isEqualTo(State.ACCEPTED);

    assertArchivedLate(late, claim);
    assertThat(worker("new").claim(State.ACCEPTED)).as("emails to send once more").isEmpty();
  }

  @Test
  void aLateDeliveryIsArchivedFromFailedWithUnknownOutcome() {
    EmailId id = stored(email());
    TestNode late = worker("late");
    Claim claim = late.onTheWire();
    late.die(HOLD);
    assertThat(summary(id).code()).isEqualTo(FailureCode.OUTCOME_UNKNOWN);

    assertArchivedLate(late, claim);
  }

  @Test
  void aLateDeliveryIsArchivedFromFailedWithDeadWorkers() {
    EmailId id = stored(email());
    TestNode late = worker("late");
    Claim claim = late.onTheWireComposed();
    late.die(GIVE_UP);
    assertThat(summary(id).code()).isEqualTo(FailureCode.WORKER_DIED);

    assertArchivedLate(late, claim);
  }

  @Test
  void aLateDeliveryKeepsTheCountOfReaps() {
    EmailId id = stored(email());
    TestNode late = worker("late");
    Claim claim = late.onTheWire();
    late.die();

    late.applied(Completion.sent(claim, TAKEN, false));

    assertThat(summary(id).progress().reaps()).as("reaps, as the history has them").isEqualTo(1);
  }

  @Test
  void aLateDeliveryIsToldToTheHostInsteadOfTheFailure() {
    EmailId id = stored(email().callback());
    TestNode late = worker("late");
    Claim claim = late.onTheWire();
    late.die(HOLD);

    late.applied(Completion.sent(claim, TAKEN, false));

    EmailSummary email = summary(id);
    assertThat(email.state()).isEqualTo(State.SENT);
    assertThat(email.code()).as("code").isNull();
    assertThat(email.archived()).as("in the log before the host was told").isFalse();
    TestNode caller = worker("caller");
    assertThat(caller.claim(State.FAILED)).as("failures to be told").isEmpty();
    assertThat(caller.claimOnly(State.SENT).id()).isEqualTo(id);
  }

  @Test
  void aDeliveryThatWasTakenForHungIsArchivedAfterAll() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    Claim claim = worker.onTheWire();
    worker.applied(
        Completion.retry(claim, HOUR, OutcomeDetails.of("took too long"), TestNode.COMPOSED));

    worker.applied(Completion.sent(claim, TAKEN, false));

    assertThat(summary(id).state()).isEqualTo(State.SENT);
    assertThat(summary(id).archived()).as("in the log").isTrue();
    assertThat(store.stats()).as("emails that wait").isEmpty();
  }

  @Test
  void aStaleClaimCannotMarkAnEmailSent() {
    EmailId id = stored(email());
    TestNode late = worker("late");
    Claim stale = late.onTheWireComposed();
    late.die();
    TestNode other = worker("new");
    Claim standing = other.claimOnly(State.READY);

    assertPossibleDuplicate(late, stale);

    assertThat(summary(id).owner()).as("the new owner").isEqualTo(other.node());
    other.applied(Completion.retry(standing, HOUR, OutcomeDetails.of("greylisted"), null));
    assertThat(summary(id).state()).isEqualTo(State.READY);
    assertThat(summary(id).timeline().sent()).as("sent").isNull();
  }

  @Test
  void aLateDeliveryOfWhatAnotherNodeGaveBackIsAPossibleDuplicate() {
    stored(email());
    TestNode late = worker("late");
    Claim stale = late.onTheWireComposed();
    late.die();
    TestNode other = worker("new");
    other.applied(
        Completion.retry(
            other.claimOnly(State.READY), HOUR, OutcomeDetails.of("greylisted"), null));

    assertPossibleDuplicate(late, stale);
  }

  @Test
  void aLateDeliveryOfWhatAnotherNodeHasSentIsAPossibleDuplicate() {
    EmailId id = stored(email());
    TestNode late = worker("late");
    Claim stale = late.onTheWireComposed();
    late.die();
    TestNode other = worker("new");
    other.applied(Completion.sent(other.claimOnly(State.READY), TAKEN, false));

    assertPossibleDuplicate(late, stale);
    assertThat(summary(id).archived()).isTrue();
  }

  @Test
  void aLateDeliveryOfACancelledEmailIsAPossibleDuplicate() {
    EmailId id = stored(email());
    TestNode late = worker("late");
    Claim stale = late.onTheWireComposed();
    late.die();
    move(OperatorAction.CANCEL, id);

    assertPossibleDuplicate(late, stale);
    assertThat(summary(id).code()).isEqualTo(FailureCode.CANCELLED);
  }

  @Test
  void aLateDeliveryOfARequeuedEmailIsAPossibleDuplicate() {
    EmailId id = stored(email());
    TestNode late = worker("late");
    Claim stale = late.onTheWireComposed();
    late.die(HOLD);
    move(OperatorAction.REQUEUE, id);

    assertPossibleDuplicate(late, stale);
    assertThat(summary(id).state()).isEqualTo(State.READY);
  }

  @Test
  void aLateDeliveryIsAPossibleDuplicateOnceTheHostIsBeingToldOfTheFailure() {
    EmailId id = stored(email().callback());
    TestNode late = worker("late");
    Claim stale = late.onTheWire();
    late.die(HOLD);
    worker("caller").claimOnly(State.FAILED);

    assertPossibleDuplicate(late, stale);
    assertThat(summary(id).state()).isEqualTo(State.CALLING_FAILED_CALLBACK);
  }

  @Test
  void aDeliveryThatFollowsItsOwnFailureInOneCallKeepsTheMessageOfThatFailure() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    Claim claim = worker.onTheWireComposed();
    Bytes newer = Bytes.utf8("composed anew");

    List<CompletionResult> answers =
        store.complete(
            List.of(
                Completion.failed(claim, FailureCode.REFUSED, OutcomeDetails.of("no"), newer),
                Completion.sent(claim, OutcomeDetails.NONE, /* keepsContent= */ true)));

    assertThat(answers).containsOnly(CompletionResult.APPLIED);
    assertThat(summary(id).archived()).as("archived").isTrue();
    assertThat(content(id)).isNotNull().extracting(StoredContent::composed).isEqualTo(newer);
  }

  @Test
  void aLateDeliveryIsOneOfABatchLikeAnyOther() {
    storedPlain(3);
    TestNode late = worker("late");
    List<Claim> wired = late.allOnTheWire();
    late.die();
    NodeId other = worker("new").claim(State.ACCEPTED, 1).get(0).node();
    EmailId taken = store.claimsOf(other, 1).get(0).id();

    List<CompletionResult> results =
        store.complete(wired.stream().map(claim -> Completion.sent(claim, TAKEN, false)).toList());

    assertThat(results)
        .as("results of three late deliveries, one of them of an email taken meanwhile")
        .isEqualTo(
            wired.stream()
                .map(
                    claim ->
                        claim.id().equals(taken)
                            ? CompletionResult.POSSIBLE_DUPLICATE
                            : CompletionResult.APPLIED)
                .toList());
  }

  @Test
  void aDelayOfDaysDoesNotMakeALateDeliveryWrong() {
    EmailId id = stored(email().lifetime(HOUR));
    TestNode late = worker("late");
    Claim claim = late.onTheWire();
    late.die();
    advance(Duration.ofDays(2));

    late.applied(Completion.sent(claim, TAKEN, false));

    assertThat(summary(id).state()).isEqualTo(State.SENT);
  }

  private void assertArchivedLate(TestNode late, Claim claim) {
    EmailSummary before = summary(claim.id());
    advance(HOUR);

    late.applied(Completion.sent(claim, TAKEN, false));

    StoredEmail stored = found(claim.id());
    EmailSummary email = stored.summary();
    assertThat(email.state()).isEqualTo(State.SENT);
    assertThat(email.archived()).as("in the log").isTrue();
    assertThat(email.due()).as("due").isNull();
    assertThat(email.owner()).as("owner").isNull();
    assertThat(email.code()).as("code").isNull();
    assertThat(email.reason()).as("reason").isNull();
    assertThat(email.response()).isEqualTo("250 queued as 4711");
    assertThat(between(email.timeline().created(), email.timeline().sent()))
        .as("from stored to sent")
        .isGreaterThanOrEqualTo(HOUR);
    assertThat(stored.content()).as("content").isNull();
    assertThat(store.stats()).as("emails that wait").isEmpty();
    assertThat(store.history(claim.id()))
        .as("the history, which still tells of the reap")
        .anyMatch(row -> row.from() == State.PROCESSING && row.to() == before.state());
  }

  private void assertPossibleDuplicate(TestNode late, Claim stale) {
    StoredEmail before = found(stale.id());
    List<HistoryRecord> history = store.history(stale.id());

    assertThat(late.complete(Completion.sent(stale, TAKEN, false)))
        .isEqualTo(CompletionResult.POSSIBLE_DUPLICATE);

    List<HistoryRecord> after = store.history(stale.id());
    assertThat(after).as("history after a possible duplicate").hasSize(history.size() + 1);
    assertThat(after.subList(0, history.size())).isEqualTo(history);
    assertThat(lastRow(stale.id()).node()).isEqualTo(late.node());
    assertThat(lastRow(stale.id()).detail()).isEqualTo("250 queued as 4711");
    assertUntouched(found(stale.id()), before);
  }

  private static void assertUntouched(StoredEmail after, StoredEmail before) {
    assertThat(after)
        .as("an email that somebody else has taken")
        .usingRecursiveComparison()
        .ignoringFields("summary.timeline.updated")
        .isEqualTo(before);
  }
}
