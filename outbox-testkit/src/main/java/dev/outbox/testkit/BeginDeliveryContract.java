package dev.outbox.testkit;

import static dev.outbox.testkit.SampleEmail.email;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.State;
import dev.outbox.email.Timeline;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutcomeDetails;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The fast way from intake to the wire, under one claim. */
abstract class BeginDeliveryContract extends StoreContract {

  @Test
  void anEmailProceedsToTheWireUnderTheSameClaim() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    Claim claim = worker.claimOnly(State.ACCEPTED);
    advance(HOUR);

    Claim proceeded = worker.proceed(claim);

    assertThat(proceeded.id()).isEqualTo(id);
    assertThat(proceeded.token()).as("token, which stays").isEqualTo(claim.token());
    assertThat(proceeded.state()).isEqualTo(State.PROCESSING);
    assertThat(proceeded.node()).isEqualTo(worker.node());
    assertThat(proceeded.content()).isEqualTo(claim.content());
    EmailSummary email = summary(id);
    assertThat(email.state()).isEqualTo(State.PROCESSING);
    assertThat(email.owner()).isEqualTo(worker.node());
    assertThat(email.due()).as("due").isNull();
    assertThat(store.history(id)).as("history of the normal way").isEmpty();
    worker.applied(Completion.sent(proceeded, OutcomeDetails.NONE, false));
  }

  @Test
  void ofTwoClaimsOnOneEmailOnlyTheOneThatStandsGoesOn() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    Claim lost = worker.claimOnly(State.ACCEPTED);
    worker.die();
    Claim standing = worker.claimOnly(State.ACCEPTED);

    List<Claim> gone = store.beginDelivery(List.of(lost, standing, lost));

    assertThat(gone).as("claims that go on").containsExactly(standing.forDelivery());
    assertThat(summary(id).state()).isEqualTo(State.PROCESSING);
  }

  @Test
  void proceedingNotesWhenItWasPreparedAndWhenSendingBegan() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    Claim claim = worker.claimOnly(State.ACCEPTED);
    advance(HOUR);

    store.beginDelivery(List.of(claim));

    Timeline times = summary(id).timeline();
    assertThat(between(times.preparing(), times.prepared()))
        .as("from preparing to prepared")
        .isCloseTo(HOUR, SLACK);
    assertThat(between(times.preparing(), times.sending()))
        .as("from preparing to sending")
        .isCloseTo(HOUR, SLACK);
    assertThat(times.updated()).as("updated").isEqualTo(times.sending());
  }

  @Test
  void onlyClaimsThatStandProceed() {
    List<EmailId> ids = storedPlain(4);
    TestNode worker = worker("one");
    List<Claim> claims = worker.claim(State.ACCEPTED);
    EmailId cancelled = ids.get(1);
    EmailId erased = ids.get(2);
    move(OperatorAction.CANCEL, cancelled);
    move(OperatorAction.ERASE, erased);

    assertThat(store.beginDelivery(claims))
        .as("of four claims, one of them cancelled and one erased")
        .extracting(Claim::id)
        .containsExactlyInAnyOrder(ids.get(0), ids.get(3));
    assertThat(summary(cancelled).state()).isEqualTo(State.FAILED);
    assertThat(summary(erased).state()).isEqualTo(State.FAILED);
  }

  @Test
  void aReapedEmailDoesNotProceed() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    Claim claim = worker.claimOnly(State.ACCEPTED);
    worker.die();

    assertThat(store.beginDelivery(List.of(claim))).as("claims that stand after a reap").isEmpty();
    assertThat(summary(id).state()).isEqualTo(State.ACCEPTED);
  }

  @Test
  void anEmailThatSomebodyElseHoldsDoesNotProceed() {
    EmailId id = stored(email());
    TestNode late = worker("late");
    Claim stale = late.claimOnly(State.ACCEPTED);
    late.die();
    Claim standing = worker("new").claimOnly(State.ACCEPTED);

    assertThat(store.beginDelivery(List.of(stale))).isEmpty();
    assertThat(summary(id)).isEqualTo(standing.email());
  }

  @Test
  void proceedingOnceMoreAfterALostAnswerStillStands() {
    EmailId id = stored(email());
    Claim claim = worker("one").claimOnly(State.ACCEPTED);
    store.beginDelivery(List.of(claim));
    EmailSummary before = summary(id);

    assertThat(store.beginDelivery(List.of(claim)))
        .as("the answer to the same call once more")
        .extracting(Claim::id)
        .containsExactly(id);
    assertThat(summary(id).state()).isEqualTo(State.PROCESSING);
    assertThat(summary(id).timeline().preparing()).isEqualTo(before.timeline().preparing());
  }

  @Test
  void proceedingWithNothingIsNothing() {
    assertThat(store.beginDelivery(List.of())).isEmpty();
  }

  @Test
  void aCancelThatRacesWithProceedingWinsOrComesTooLate() {
    TestNode worker = worker("one");
    Race.repeatedly(
        () -> {
          List<EmailId> ids = storedPlain(5);
          List<Claim> claims = worker.claim(State.ACCEPTED);

          var race =
              Race.between(
                  () -> store.beginDelivery(claims),
                  () -> fixture.another().apply(OperatorAction.CANCEL, ids));

          Set<EmailId> proceeded = race.first().stream().map(Claim::id).collect(Collectors.toSet());
          race.second()
              .forEach(
                  moved ->
                      assertThat(moved.state())
                          .as("answer to a cancel; proceeded: %s", proceeded.contains(moved.id()))
                          .isEqualTo(
                              proceeded.contains(moved.id()) ? State.PROCESSING : State.FAILED));
          for (EmailId id : ids) {
            assertThat(summary(id).state())
                .isEqualTo(proceeded.contains(id) ? State.PROCESSING : State.FAILED);
          }
          for (Claim claim : race.first()) {
            worker.applied(Completion.sent(claim, OutcomeDetails.NONE, false));
          }
        });
  }
}
