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
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.StoredEmail;
import dev.outbox.testkit.EmailStateFixture.Driven;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A claim that no longer stands changes nothing. */
abstract class FenceContract extends StoreContract {

  @Test
  void aStaleClaimCannotCompleteWhatAnotherNodeHolds() {
    EmailId id = stored(email());
    TestNode late = worker("late");
    Claim stale = late.onTheWireComposed();
    late.die();
    worker("new").claimOnly(State.READY);

    assertAllLost(id, late, stale);
  }

  @Test
  void aStaleClaimCannotCompleteWhatAnotherNodeHasGivenBack() {
    EmailId id = stored(email());
    TestNode late = worker("late");
    Claim stale = late.onTheWireComposed();
    late.die();
    TestNode other = worker("new");
    other.applied(
        Completion.released(other.claimOnly(State.READY), Duration.ZERO, OutcomeDetails.NONE));

    assertAllLost(id, late, stale);
  }

  @Test
  void aClaimIsStaleEvenIfTheSameNodeHasClaimedAgain() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    Claim stale = worker.onTheWireComposed();
    worker.applied(Completion.released(stale, Duration.ZERO, OutcomeDetails.NONE));
    Claim standing = worker.claimOnly(State.READY);

    assertLost(
        id,
        worker,
        found(id),
        Completion.failed(stale, FailureCode.REFUSED, OutcomeDetails.of("late"), null),
        Completion.invalid(stale, OutcomeDetails.of("late")));
    worker.applied(Completion.sent(standing, OutcomeDetails.NONE, false));
  }

  @Test
  void aClaimThatWasUsedCannotCompleteToAnythingElse() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    Claim used = worker.onTheWireComposed();
    worker.applied(Completion.released(used, Duration.ZERO, OutcomeDetails.NONE));

    assertLost(
        id,
        worker,
        found(id),
        Completion.failed(used, FailureCode.REFUSED, OutcomeDetails.of("late"), null),
        Completion.invalid(used, OutcomeDetails.of("late")));
  }

  @Test
  void aReapedClaimCannotCompleteAnythingButADelivery() {
    EmailId id = stored(email());
    TestNode worker = worker("late");
    Claim stale = worker.onTheWireComposed();
    worker.die();

    assertAllLost(id, worker, stale);
  }

  @Test
  void aReapedIntakeCannotBeCompleted() {
    EmailId id = stored(email());
    TestNode worker = worker("late");
    Claim stale = worker.claimOnly(State.ACCEPTED);
    worker.die();

    assertIntakeLost(id, worker, stale);
  }

  @Test
  void aCancelledEmailCannotBeCompleted() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    Claim stale = worker.claimOnly(State.ACCEPTED);
    move(OperatorAction.CANCEL, id);

    assertIntakeLost(id, worker, stale);
    assertThat(summary(id).state()).isEqualTo(State.FAILED);
    assertThat(summary(id).code()).isEqualTo(FailureCode.CANCELLED);
  }

  @Test
  void aRequeuedEmailCannotBeCompletedUnderItsOldClaim() {
    EmailStateFixture driver = driver();
    Driven driven = driver.to(State.CALLING_FAILED_CALLBACK);
    move(OperatorAction.REQUEUE, driven.id());
    StoredEmail before = found(driven.id());

    assertLost(
        driven.id(),
        driver.worker(),
        before,
        Completion.callbackAcknowledged(driven.held(), OutcomeDetails.NONE, false),
        Completion.callbackRetry(driven.held(), HOUR, OutcomeDetails.NONE),
        Completion.callbackAbandoned(driven.held(), OutcomeDetails.NONE, false),
        Completion.released(driven.held(), HOUR, OutcomeDetails.NONE));
    assertThat(summary(driven.id()).state()).isEqualTo(State.ACCEPTED);
  }

  @Test
  void aClaimOfAnEarlierStageCannotComplete() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    Claim intake = worker.claimOnly(State.ACCEPTED);
    Claim delivery = worker.proceed(intake);

    assertIntakeLost(id, worker, intake);
    worker.applied(Completion.sent(delivery, OutcomeDetails.NONE, false));
  }

  @Test
  void anArchivedEmailCannotBeCompletedAnew() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    Claim claim = worker.onTheWireComposed();
    worker.applied(Completion.sent(claim, OutcomeDetails.NONE, false));

    assertAllLost(id, worker, claim);
  }

  @Test
  void anEmailThatDoesNotExistCannotBeCompleted() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    Claim claim = worker.onTheWireComposed();
    Completion real = Completion.retry(claim, HOUR, OutcomeDetails.NONE, null);
    Completion unreal =
        new Completion(
            EmailId.next(),
            real.token(),
            real.node(),
            real.from(),
            real.to(),
            real.dueIn(),
            real.progress(),
            null,
            real.report(),
            null,
            false);

    assertThat(store.complete(List.of(unreal, real)))
        .containsExactly(CompletionResult.LOST, CompletionResult.APPLIED);
    assertThat(everything()).hasSize(1);
    assertThat(summary(id).state()).isEqualTo(State.READY);
  }

  @Test
  void aLostClaimDoesNotStopTheOthers() {
    List<EmailId> ids = storedPlain(5);
    TestNode worker = worker("one");
    List<Claim> claims =
        worker.claim(State.ACCEPTED).stream().sorted((a, b) -> a.id().compareTo(b.id())).toList();
    store.apply(OperatorAction.CANCEL, List.of(ids.get(1), ids.get(3)));

    assertThat(
            store.complete(
                List.of(
                    Completion.postponed(
                        claims.get(4), HOUR, OutcomeDetails.NONE, TestNode.COMPOSED),
                    Completion.invalid(claims.get(3), OutcomeDetails.of("late")),
                    Completion.invalid(claims.get(2), OutcomeDetails.of("unreadable")),
                    Completion.released(claims.get(1), HOUR, OutcomeDetails.of("late")),
                    Completion.released(claims.get(0), HOUR, OutcomeDetails.NONE))))
        .as("results in the order of the completions, the second and the fourth cancelled")
        .containsExactly(
            CompletionResult.APPLIED,
            CompletionResult.LOST,
            CompletionResult.APPLIED,
            CompletionResult.LOST,
            CompletionResult.APPLIED);
    assertThat(ids.stream().map(id -> summary(id).state()))
        .containsExactly(State.ACCEPTED, State.FAILED, State.INVALID, State.FAILED, State.READY);
  }

  private void assertAllLost(EmailId id, TestNode worker, Claim stale) {
    assertLost(
        id,
        worker,
        found(id),
        Completion.retry(stale, HOUR, OutcomeDetails.of("late"), null),
        Completion.released(stale, HOUR, OutcomeDetails.of("late")),
        Completion.failed(stale, FailureCode.REFUSED, OutcomeDetails.of("late"), null),
        Completion.invalid(stale, OutcomeDetails.of("late")));
  }

  private void assertIntakeLost(EmailId id, TestNode worker, Claim stale) {
    assertLost(
        id,
        worker,
        found(id),
        Completion.postponed(stale, HOUR, OutcomeDetails.of("late"), TestNode.COMPOSED),
        Completion.released(stale, HOUR, OutcomeDetails.of("late")),
        Completion.failed(stale, FailureCode.EXPIRED, OutcomeDetails.of("late"), null),
        Completion.invalid(stale, OutcomeDetails.of("late")));
  }

  private void assertLost(
      EmailId id, TestNode worker, StoredEmail before, Completion... completions) {
    List<HistoryRecord> history = store.history(id);
    for (Completion completion : completions) {
      assertThat(worker.complete(completion))
          .as("late completion to %s", completion.to().wireName())
          .isEqualTo(CompletionResult.LOST);
      assertThat(found(id)).as("the email after a lost completion").isEqualTo(before);
      assertThat(store.history(id)).as("history after a lost completion").isEqualTo(history);
    }
  }
}
