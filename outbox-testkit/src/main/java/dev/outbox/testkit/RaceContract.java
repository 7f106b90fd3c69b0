package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.State;
import dev.outbox.settings.UnknownOutcomePolicy;
import dev.outbox.store.ActionResult;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.ReapPolicy;
import dev.outbox.store.ReapedEmail;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Completions against those who take the same emails away at the same moment. */
abstract class RaceContract extends StoreContract {

  private static final int BATCH = 8;
  private static final Duration LONG = Duration.ofDays(9);
  private static final ReapPolicy HOLD = new ReapPolicy(2, 5, UnknownOutcomePolicy.HOLD);

  @Test
  void anArchivedEmailIsNotPutBackByAReapAtTheSameMoment() {
    Race.repeatedly(this::archiveAgainstReap);
  }

  private void archiveAgainstReap() {
    TestNode worker = worker("late");
    List<Completion> sent = sent(onTheWire(worker));

    var race =
        Race.between(
            () -> store.complete(sent),
            () -> fixture.another().reap(worker.node(), 0, ReapPolicy.DEFAULT, ALL));

    assertThat(race.first())
        .as("deliveries under a token that nobody changed")
        .containsOnly(CompletionResult.APPLIED);
    Set<EmailId> reaped = race.second().stream().map(ReapedEmail::id).collect(Collectors.toSet());
    listedOnce(ids(sent))
        .forEach(
            (id, email) -> {
              assertThat(email.state()).isEqualTo(State.SENT);
              assertThat(email.archived()).as("in the log").isTrue();
              assertThat(store.history(id))
                  .as("rows of history; reaped: %s", reaped.contains(id))
                  .filteredOn(row -> row.to() == State.ACCEPTED)
                  .hasSize(reaped.contains(id) ? 1 : 0);
            });
    assertThat(worker("new").claim(State.ACCEPTED)).as("emails to send once more").isEmpty();
    assertThat(store.stats()).as("emails that are not in the log").isEmpty();
  }

  @Test
  void anEmailIsArchivedOrTakenOverButNeverBoth() {
    Race.repeatedly(this::archiveAgainstTakeover);
  }

  private void archiveAgainstTakeover() {
    TestNode late = worker("late");
    TestNode next = new TestNode(fixture.another(), "next");
    List<Completion> sent = sent(onTheWire(late));

    var race = Race.between(() -> store.complete(sent), () -> takeOver(late, next));

    Set<EmailId> taken = race.second().stream().map(Claim::id).collect(Collectors.toSet());
    Map<EmailId, EmailSummary> emails = listedOnce(ids(sent));
    for (int i = 0; i < sent.size(); i++) {
      boolean isTaken = taken.contains(sent.get(i).id());
      EmailSummary email = Objects.requireNonNull(emails.get(sent.get(i).id()));
      assertThat(race.first().get(i))
          .as("a delivery of an email that was taken over: %s", isTaken)
          .isEqualTo(isTaken ? CompletionResult.POSSIBLE_DUPLICATE : CompletionResult.APPLIED);
      assertThat(email.archived()).as("in the log; taken over: %s", isTaken).isEqualTo(!isTaken);
      assertThat(email.state()).isEqualTo(isTaken ? State.INTAKING : State.SENT);
      assertThat(email.owner()).as("owner").isEqualTo(isTaken ? next.node() : null);
    }
    assertThat(store.claimsOf(next.node(), ALL))
        .as("what the next node holds")
        .hasSameSizeAs(taken);
    race.second().forEach(claim -> next.applied(Completion.invalid(claim, OutcomeDetails.NONE)));
  }

  private List<Claim> takeOver(TestNode late, TestNode next) {
    List<Claim> taken = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      fixture.another().reap(late.node(), 0, ReapPolicy.DEFAULT, BATCH);
      taken.addAll(next.claim(State.ACCEPTED));
    }
    return taken;
  }

  @Test
  void aRetryIsWrittenOrReapedButNeverBoth() {
    Race.repeatedly(this::retryAgainstReap);
  }

  private void retryAgainstReap() {
    TestNode worker = worker("late");
    List<Completion> retries =
        onTheWire(worker).stream()
            .map(claim -> Completion.retry(claim, LONG, OutcomeDetails.NONE, TestNode.COMPOSED))
            .toList();

    var race =
        Race.between(
            () -> store.complete(retries),
            () -> fixture.another().reap(worker.node(), 0, HOLD, ALL));

    Set<EmailId> reaped = race.second().stream().map(ReapedEmail::id).collect(Collectors.toSet());
    Map<EmailId, EmailSummary> emails = listedOnce(ids(retries));
    for (int i = 0; i < retries.size(); i++) {
      EmailId id = retries.get(i).id();
      boolean isReaped = reaped.contains(id);
      EmailSummary email = Objects.requireNonNull(emails.get(id));
      assertThat(race.first().get(i))
          .as("a retry of an email that was reaped: %s", isReaped)
          .isEqualTo(isReaped ? CompletionResult.LOST : CompletionResult.APPLIED);
      assertThat(email.state()).isEqualTo(isReaped ? State.FAILED : State.READY);
      assertThat(email.progress().attempts()).isEqualTo(isReaped ? 0 : 1);
      assertThat(email.progress().reaps()).isEqualTo(isReaped ? 1 : 0);
      assertThat(store.history(id)).as("rows of history").hasSize(1);
    }
  }

  @Test
  void anEmailIsArchivedOrCancelledButNeverBoth() {
    Race.repeatedly(
        () -> {
          TestNode late = worker("late");
          List<Completion> sent = sent(onTheWire(late));
          late.die();
          assertArchivedOrMoved(sent, OperatorAction.CANCEL, State.FAILED);
        });
  }

  @Test
  void anEmailIsArchivedOrRequeuedButNeverBoth() {
    Race.repeatedly(
        () -> {
          TestNode late = worker("late");
          List<Completion> sent = sent(onTheWire(late));
          late.die(HOLD);
          assertArchivedOrMoved(sent, OperatorAction.REQUEUE, State.ACCEPTED);
          worker("next").claim(State.ACCEPTED);
        });
  }

  private void assertArchivedOrMoved(List<Completion> sent, OperatorAction move, State to) {
    List<EmailId> ids = ids(sent);

    var race = Race.between(() -> store.complete(sent), () -> fixture.another().apply(move, ids));

    Map<EmailId, EmailSummary> emails = listedOnce(ids);
    for (int i = 0; i < ids.size(); i++) {
      boolean isMoved = race.second().get(i).status() == ActionResult.Status.DONE;
      EmailSummary email = Objects.requireNonNull(emails.get(ids.get(i)));
      assertThat(race.first().get(i))
          .as("a delivery of an email whose %s was made: %s", move, isMoved)
          .isEqualTo(isMoved ? CompletionResult.POSSIBLE_DUPLICATE : CompletionResult.APPLIED);
      assertThat(email.state()).isEqualTo(isMoved ? to : State.SENT);
      assertThat(email.archived()).as("in the log").isEqualTo(!isMoved);
    }
  }

  @Test
  void anEmailThatIsCancelledWhileItIsClaimedDoesNotProceed() {
    Race.repeatedly(
        () -> {
          List<EmailId> ids = storedPlain(BATCH);
          TestNode worker = worker("one");

          var race =
              Race.between(
                  () -> worker.claim(State.ACCEPTED),
                  () -> fixture.another().apply(OperatorAction.CANCEL, ids));

          assertThat(race.second())
              .extracting(ActionResult::status)
              .containsOnly(ActionResult.Status.DONE);
          assertThat(listedOnce(ids).values())
              .allMatch(email -> email.state() == State.FAILED, "is cancelled");
          assertThat(store.beginDelivery(race.first()))
              .as("claims that stand, of emails that are all cancelled")
              .isEmpty();
        });
  }

  private List<Claim> onTheWire(TestNode worker) {
    storedPlain(BATCH);
    List<Claim> claims = worker.allOnTheWire();
    assertThat(claims).as("claims for this round").hasSize(BATCH);
    return claims;
  }

  private static List<Completion> sent(List<Claim> claims) {
    return claims.stream()
        .map(claim -> Completion.sent(claim, OutcomeDetails.NONE, false))
        .toList();
  }

  private static List<EmailId> ids(List<Completion> completions) {
    return completions.stream().map(Completion::id).toList();
  }

  /** Lists the emails of this round, each of which is either waiting or in the log. */
  private Map<EmailId, EmailSummary> listedOnce(List<EmailId> ids) {
    List<EmailSummary> newest = newest(BATCH);
    assertThat(newest)
        .as("the newest emails, waiting or in the log")
        .extracting(EmailSummary::id)
        .containsExactlyInAnyOrderElementsOf(ids);
    return newest.stream().collect(Collectors.toMap(EmailSummary::id, Function.identity()));
  }
}
