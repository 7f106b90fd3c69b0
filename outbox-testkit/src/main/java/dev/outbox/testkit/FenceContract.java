package dev.outbox.testkit;

import static dev.outbox.testkit.SampleEmail.email;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.FailureCode;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.Completed;
import dev.outbox.store.Completion;
import dev.outbox.store.HistoryRow;
import dev.outbox.store.ManualMove;
import dev.outbox.store.Report;
import dev.outbox.store.StoredEmail;
import dev.outbox.testkit.StateDriver.Driven;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A claim that no longer stands changes nothing. */
abstract class FenceContract extends StoreContract {

  @Test
  void aStaleClaimCannotCompleteWhatAnotherNodeHolds() {
    EmailId id = stored(email());
    Worker late = worker("late");
    Claim stale = late.onTheWireComposed();
    late.die();
    worker("new").claimOnly(State.READY);

    assertAllLost(id, late, stale);
  }

  @Test
  void aStaleClaimCannotCompleteWhatAnotherNodeHasGivenBack() {
    EmailId id = stored(email());
    Worker late = worker("late");
    Claim stale = late.onTheWireComposed();
    late.die();
    Worker other = worker("new");
    other.applied(Completion.released(other.claimOnly(State.READY), Duration.ZERO, Report.NONE));

    assertAllLost(id, late, stale);
  }

  @Test
  void aClaimIsStaleEvenIfTheSameNodeHasClaimedAgain() {
    EmailId id = stored(email());
    Worker worker = worker("one");
    Claim stale = worker.onTheWireComposed();
    worker.applied(Completion.released(stale, Duration.ZERO, Report.NONE));
    Claim standing = worker.claimOnly(State.READY);

    assertLost(
        id,
        worker,
        found(id),
        Completion.failed(stale, FailureCode.REFUSED, Report.of("late"), null),
        Completion.invalid(stale, Report.of("late")));
    worker.applied(Completion.sent(standing, Report.NONE, false));
  }

  @Test
  void aClaimThatWasUsedCannotCompleteToAnythingElse() {
    EmailId id = stored(email());
    Worker worker = worker("one");
    Claim used = worker.onTheWireComposed();
    worker.applied(Completion.released(used, Duration.ZERO, Report.NONE));

    assertLost(
        id,
        worker,
        found(id),
        Completion.failed(used, FailureCode.REFUSED, Report.of("late"), null),
        Completion.invalid(used, Report.of("late")));
  }

  @Test
  void aReapedClaimCannotCompleteAnythingButADelivery() {
    EmailId id = stored(email());
    Worker worker = worker("late");
    Claim stale = worker.onTheWireComposed();
    worker.die();

    assertAllLost(id, worker, stale);
  }

  @Test
  void aReapedIntakeCannotBeCompleted() {
    EmailId id = stored(email());
    Worker worker = worker("late");
    Claim stale = worker.claimOnly(State.ACCEPTED);
    worker.die();

    assertIntakeLost(id, worker, stale);
  }

  @Test
  void aCancelledEmailCannotBeCompleted() {
    EmailId id = stored(email());
    Worker worker = worker("one");
    Claim stale = worker.claimOnly(State.ACCEPTED);
    move(ManualMove.CANCEL, id);

    assertIntakeLost(id, worker, stale);
    assertThat(summary(id).state()).isEqualTo(State.FAILED);
    assertThat(summary(id).code()).isEqualTo(FailureCode.CANCELLED);
  }

  @Test
  void aRequeuedEmailCannotBeCompletedUnderItsOldClaim() {
    StateDriver driver = driver();
    Driven driven = driver.to(State.CALLING_FAILED_CALLBACK);
    move(ManualMove.REQUEUE, driven.id());
    StoredEmail before = found(driven.id());

    assertLost(
        driven.id(),
        driver.worker(),
        before,
        Completion.acknowledged(driven.held(), Report.NONE, false),
        Completion.callAgain(driven.held(), HOUR, Report.NONE),
        Completion.callNoMore(driven.held(), Report.NONE, false),
        Completion.released(driven.held(), HOUR, Report.NONE));
    assertThat(summary(driven.id()).state()).isEqualTo(State.ACCEPTED);
  }

  @Test
  void aClaimOfAnEarlierStageCannotComplete() {
    EmailId id = stored(email());
    Worker worker = worker("one");
    Claim intake = worker.claimOnly(State.ACCEPTED);
    Claim delivery = worker.proceed(intake);

    assertIntakeLost(id, worker, intake);
    worker.applied(Completion.sent(delivery, Report.NONE, false));
  }

  @Test
  void anArchivedEmailCannotBeCompletedAnew() {
    EmailId id = stored(email());
    Worker worker = worker("one");
    Claim claim = worker.onTheWireComposed();
    worker.applied(Completion.sent(claim, Report.NONE, false));

    assertAllLost(id, worker, claim);
  }

  @Test
  void anEmailThatDoesNotExistCannotBeCompleted() {
    EmailId id = stored(email());
    Worker worker = worker("one");
    Claim claim = worker.onTheWireComposed();
    Completion real = Completion.retry(claim, HOUR, Report.NONE, null);
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
        .containsExactly(Completed.LOST, Completed.APPLIED);
    assertThat(everything()).hasSize(1);
    assertThat(summary(id).state()).isEqualTo(State.READY);
  }

  @Test
  void aLostClaimDoesNotStopTheOthers() {
    List<EmailId> ids = storedPlain(5);
    Worker worker = worker("one");
    List<Claim> claims =
        worker.claim(State.ACCEPTED).stream().sorted((a, b) -> a.id().compareTo(b.id())).toList();
    store.move(ManualMove.CANCEL, List.of(ids.get(1), ids.get(3)));

    assertThat(
            store.complete(
                List.of(
                    Completion.ready(claims.get(4), HOUR, Report.NONE, Worker.COMPOSED),
                    Completion.invalid(claims.get(3), Report.of("late")),
                    Completion.invalid(claims.get(2), Report.of("unreadable")),
                    Completion.released(claims.get(1), HOUR, Report.of("late")),
                    Completion.released(claims.get(0), HOUR, Report.NONE))))
        .as("results in the order of the completions, the second and the fourth cancelled")
        .containsExactly(
            Completed.APPLIED,
            Completed.LOST,
            Completed.APPLIED,
            Completed.LOST,
            Completed.APPLIED);
    assertThat(ids.stream().map(id -> summary(id).state()))
        .containsExactly(State.ACCEPTED, State.FAILED, State.INVALID, State.FAILED, State.READY);
  }

  private void assertAllLost(EmailId id, Worker worker, Claim stale) {
    assertLost(
        id,
        worker,
        found(id),
        Completion.retry(stale, HOUR, Report.of("late"), null),
        Completion.released(stale, HOUR, Report.of("late")),
        Completion.failed(stale, FailureCode.REFUSED, Report.of("late"), null),
        Completion.invalid(stale, Report.of("late")));
  }

  private void assertIntakeLost(EmailId id, Worker worker, Claim stale) {
    assertLost(
        id,
        worker,
        found(id),
        Completion.ready(stale, HOUR, Report.of("late"), Worker.COMPOSED),
        Completion.released(stale, HOUR, Report.of("late")),
        Completion.failed(stale, FailureCode.EXPIRED, Report.of("late"), null),
        Completion.invalid(stale, Report.of("late")));
  }

  private void assertLost(
      EmailId id, Worker worker, StoredEmail before, Completion... completions) {
    List<HistoryRow> history = store.history(id);
    for (Completion completion : completions) {
      assertThat(worker.complete(completion))
          .as("late completion to %s", completion.to().wireName())
          .isEqualTo(Completed.LOST);
      assertThat(found(id)).as("the email after a lost completion").isEqualTo(before);
      assertThat(store.history(id)).as("history after a lost completion").isEqualTo(history);
    }
  }
}
