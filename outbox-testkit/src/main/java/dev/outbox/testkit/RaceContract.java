package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.Completed;
import dev.outbox.store.Completion;
import dev.outbox.store.ManualMove;
import dev.outbox.store.Moved;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.ReapPolicy;
import dev.outbox.store.Reaped;
import dev.outbox.store.Report;
import dev.outbox.store.UnknownOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Completions against those who take the same emails away at the same moment. */
abstract class RaceContract extends StoreContract {

  private static final int ROUNDS = 15;
  private static final int BATCH = 8;
  private static final ReapPolicy HOLD = new ReapPolicy(2, 5, UnknownOutcome.HOLD);

  @Test
  void anArchivedEmailIsNotPutBackByAReapAtTheSameMoment() {
    for (int round = 0; round < ROUNDS; round++) {
      Worker worker = worker("late");
      List<Completion> sent = sent(onTheWire(worker));

      var race =
          Race.between(
              () -> store.complete(sent),
              () -> fixture.another().reap(worker.node(), 0, ReapPolicy.DEFAULT, ALL));

      assertThat(race.first())
          .as("deliveries under a token that nobody changed")
          .containsOnly(Completed.APPLIED);
      Set<EmailId> reaped = reaped(race.second());
      for (Completion completion : sent) {
        EmailId id = completion.id();
        assertThat(summary(id).state()).isEqualTo(State.SENT);
        assertThat(summary(id).archived()).as("in the log").isTrue();
        assertThat(store.history(id))
            .as("rows of history; reaped: %s", reaped.contains(id))
            .filteredOn(row -> row.to() == State.ACCEPTED)
            .hasSize(reaped.contains(id) ? 1 : 0);
      }
      assertThat(worker("new").claim(State.ACCEPTED)).as("emails to send once more").isEmpty();
      assertThat(store.stats()).as("emails that are not in the log").isEmpty();
      assertListedOnce(round);
    }
  }

  @Test
  void anEmailIsArchivedOrTakenOverButNeverBoth() {
    for (int round = 0; round < ROUNDS; round++) {
      Worker late = worker("late");
      Worker next = new Worker(fixture.another(), "next");
      List<Completion> sent = sent(onTheWire(late));

      var race =
          Race.between(
              () -> store.complete(sent),
              () -> {
                List<Claim> taken = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                  fixture.another().reap(late.node(), 0, ReapPolicy.DEFAULT, BATCH);
                  taken.addAll(next.claim(State.ACCEPTED));
                }
                return taken;
              });

      Set<EmailId> taken = race.second().stream().map(Claim::id).collect(Collectors.toSet());
      for (int i = 0; i < sent.size(); i++) {
        EmailId id = sent.get(i).id();
        boolean isTaken = taken.contains(id);
        EmailSummary email = summary(id);
        assertThat(race.first().get(i))
            .as("a delivery of an email that was taken over: %s", isTaken)
            .isEqualTo(isTaken ? Completed.POSSIBLE_DUPLICATE : Completed.APPLIED);
        assertThat(email.archived()).as("in the log; taken over: %s", isTaken).isEqualTo(!isTaken);
        assertThat(email.state()).isEqualTo(isTaken ? State.INTAKING : State.SENT);
        assertThat(email.owner()).as("owner").isEqualTo(isTaken ? next.node() : null);
      }
      assertThat(store.held(next.node(), ALL)).as("what the next node holds").hasSameSizeAs(taken);
      assertListedOnce(round);
      finish(store, next.node(), race.second());
    }
  }

  @Test
  void aRetryIsWrittenOrReapedButNeverBoth() {
    for (int round = 0; round < ROUNDS; round++) {
      Worker worker = worker("late");
      List<Claim> claims = onTheWire(worker);

      var race =
          Race.between(
              () ->
                  store.complete(
                      claims.stream()
                          .map(
                              claim ->
                                  Completion.retry(
                                      claim, Duration.ofDays(9), Report.NONE, Worker.COMPOSED))
                          .toList()),
              () -> fixture.another().reap(worker.node(), 0, HOLD, ALL));

      Set<EmailId> reaped = reaped(race.second());
      for (int i = 0; i < claims.size(); i++) {
        EmailId id = claims.get(i).id();
        boolean isReaped = reaped.contains(id);
        assertThat(race.first().get(i))
            .as("a retry of an email that was reaped: %s", isReaped)
            .isEqualTo(isReaped ? Completed.LOST : Completed.APPLIED);
        assertThat(summary(id).state()).isEqualTo(isReaped ? State.FAILED : State.READY);
        assertThat(summary(id).progress().attempts()).isEqualTo(isReaped ? 0 : 1);
        assertThat(summary(id).progress().reaps()).isEqualTo(isReaped ? 1 : 0);
        assertThat(store.history(id)).as("rows of history").hasSize(1);
      }
    }
  }

  @Test
  void anEmailIsArchivedOrCancelledButNeverBoth() {
    for (int round = 0; round < ROUNDS; round++) {
      Worker late = worker("late");
      List<Completion> sent = sent(onTheWire(late));
      late.die();

      assertArchivedOrMoved(sent, ManualMove.CANCEL, State.FAILED);
      assertListedOnce(round);
    }
  }

  @Test
  void anEmailIsArchivedOrRequeuedButNeverBoth() {
    for (int round = 0; round < ROUNDS; round++) {
      Worker late = worker("late");
      List<Claim> claims = onTheWire(late);
      late.die(HOLD);

      assertArchivedOrMoved(sent(claims), ManualMove.REQUEUE, State.ACCEPTED);
      assertListedOnce(round);
      worker("drain").claim(State.ACCEPTED);
    }
  }

  @Test
  void anEmailIsCancelledOrClaimedButNeverBoth() {
    for (int round = 0; round < ROUNDS; round++) {
      List<EmailId> ids = storedPlain(BATCH);
      Worker worker = worker("one");

      var race =
          Race.between(
              () -> worker.claim(State.ACCEPTED),
              () -> fixture.another().move(ManualMove.CANCEL, ids));

      assertThat(race.second()).extracting(Moved::status).containsOnly(Moved.Status.DONE);
      assertThat(ids).allMatch(id -> summary(id).state() == State.FAILED, "is cancelled");
      assertThat(store.proceed(race.first()))
          .as("claims that stand, of emails that are all cancelled")
          .isEmpty();
    }
  }

  private void assertArchivedOrMoved(List<Completion> sent, ManualMove move, State to) {
    List<EmailId> ids = sent.stream().map(Completion::id).toList();

    var race = Race.between(() -> store.complete(sent), () -> fixture.another().move(move, ids));

    for (int i = 0; i < ids.size(); i++) {
      boolean isMoved = race.second().get(i).status() == Moved.Status.DONE;
      assertThat(race.first().get(i))
          .as("a delivery of an email whose %s was made: %s", move, isMoved)
          .isEqualTo(isMoved ? Completed.POSSIBLE_DUPLICATE : Completed.APPLIED);
      assertThat(summary(ids.get(i)).state()).isEqualTo(isMoved ? to : State.SENT);
      assertThat(summary(ids.get(i)).archived()).as("in the log").isEqualTo(!isMoved);
    }
  }

  private List<Claim> onTheWire(Worker worker) {
    storedPlain(BATCH);
    List<Claim> claims = worker.allOnTheWire();
    assertThat(claims).as("claims for this round").hasSize(BATCH);
    return claims;
  }

  private static List<Completion> sent(List<Claim> claims) {
    return claims.stream().map(claim -> Completion.sent(claim, Report.NONE, false)).toList();
  }

  private static Set<EmailId> reaped(List<Reaped> all) {
    return all.stream().map(Reaped::id).collect(Collectors.toSet());
  }

  private static void finish(OutboxStore store, NodeId node, List<Claim> claims) {
    for (Claim claim : claims) {
      assertThat(Objects.requireNonNull(claim.email().owner())).isEqualTo(node);
      store.complete(List.of(Completion.invalid(claim, Report.NONE)));
    }
  }

  private void assertListedOnce(int round) {
    assertThat(everything())
        .as("emails, waiting or in the log")
        .hasSize((round + 1) * BATCH)
        .extracting(EmailSummary::id)
        .doesNotHaveDuplicates();
  }
}
