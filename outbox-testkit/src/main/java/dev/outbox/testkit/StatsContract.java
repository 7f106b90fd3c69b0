package dev.outbox.testkit;

import static dev.outbox.testkit.SampleEmail.email;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.StateCount;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Counting what is not in the log, and how long it has been waiting. */
abstract class StatsContract extends StoreContract {

  @Test
  void anEmptyStoreCountsNothing() {
    assertThat(store.stats()).isEmpty();
  }

  @Test
  void emailsAreCountedByState() {
    storedPlain(6);
    TestNode worker = worker("one");
    List<Claim> claims = worker.claim(State.ACCEPTED);
    List<Claim> wired = store.beginDelivery(claims.subList(0, 2));
    worker.applied(
        Completion.postponed(claims.get(2), HOUR, OutcomeDetails.NONE, TestNode.COMPOSED));
    worker.applied(Completion.invalid(claims.get(3), OutcomeDetails.NONE));
    worker.applied(Completion.released(claims.get(4), HOUR, OutcomeDetails.NONE));
    worker.applied(Completion.sent(wired.get(0), OutcomeDetails.NONE, false));

    Map<State, StateCount> stats = store.stats();

    assertThat(stats)
        .as("states with emails, the archived one not among them")
        .containsOnlyKeys(
            State.ACCEPTED, State.INTAKING, State.READY, State.PROCESSING, State.INVALID);
    assertThat(stats.values()).extracting(StateCount::count).containsOnly(1);
    assertThat(stats.values()).noneMatch(StateCount::isBound);
  }

  @Test
  void manyInOneStateAreCountedExactly() {
    storedPlain(250);

    assertThat(count(State.ACCEPTED).count()).isEqualTo(250);
  }

  @Test
  void theOldestIsCountedFromWhenItWasStored() {
    stored(email());
    advance(HOUR);
    stored(email());
    advance(HOUR);

    assertThat(count(State.ACCEPTED).count()).isEqualTo(2);
    assertThat(count(State.ACCEPTED).oldest()).isCloseTo(HOUR.multipliedBy(2), SLACK);
    assertThat(count(State.ACCEPTED).overdue()).isCloseTo(HOUR.multipliedBy(2), SLACK);
  }

  @Test
  void overdueIsWhatCouldHaveBeenClaimedLongest() {
    stored(email());
    TestNode worker = worker("one");
    worker.applied(
        Completion.retry(worker.onTheWire(), HOUR, OutcomeDetails.NONE, TestNode.COMPOSED));
    assertThat(count(State.READY).overdue()).as("before its time").isEqualTo(Duration.ZERO);

    advance(HOUR.multipliedBy(3));

    assertThat(count(State.READY).overdue()).isCloseTo(HOUR.multipliedBy(2), SLACK);
    assertThat(count(State.READY).oldest()).isCloseTo(HOUR.multipliedBy(3), SLACK);
  }

  @Test
  void whatWaitsForNobodyIsNotOverdue() {
    stored(email());
    stored(email());
    TestNode worker = worker("one");
    List<Claim> claims = worker.claim(State.ACCEPTED);
    worker.applied(Completion.invalid(claims.get(0), OutcomeDetails.NONE));
    advance(HOUR);

    assertThat(count(State.INVALID).overdue()).as("nobody is to be told").isEqualTo(Duration.ZERO);
    assertThat(count(State.INTAKING).overdue()).as("it is in work").isEqualTo(Duration.ZERO);
    assertThat(count(State.INTAKING).oldest()).isCloseTo(HOUR, SLACK);
  }

  private StateCount count(State state) {
    return Objects.requireNonNull(store.stats().get(state), "nothing counted in " + state);
  }
}
