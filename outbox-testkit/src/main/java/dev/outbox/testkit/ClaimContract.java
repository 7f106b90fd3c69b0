package dev.outbox.testkit;

import static dev.outbox.testkit.SampleEmail.email;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.Bytes;
import dev.outbox.email.Counters;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.StoredContent;
import dev.outbox.testkit.EmailStateFixture.Driven;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Giving waiting emails to nodes: what is due, to one node only, with all that it needs. */
abstract class ClaimContract extends StoreContract {

  @Test
  void aClaimedEmailIsBusyOwnedAndNoLongerDue() {
    EmailId id = stored(email());
    TestNode worker = worker("one");

    Claim claim = worker.claimOnly(State.ACCEPTED);

    assertThat(claim.id()).isEqualTo(id);
    EmailSummary email = claim.email();
    assertThat(email.state()).isEqualTo(State.INTAKING);
    assertThat(email.owner()).isEqualTo(worker.node());
    assertThat(email.due()).as("due").isNull();
    assertThat(email.progress()).isEqualTo(Counters.NONE);
    assertThat(summary(id)).as("what is stored, compared with the claim").isEqualTo(email);
    assertThat(store.history(id)).as("history of the normal way").isEmpty();
  }

  @Test
  void claimingForIntakeNotesWhenPreparingBegan() {
    stored(email());
    advance(HOUR);

    EmailSummary email = worker("one").claimOnly(State.ACCEPTED).email();

    assertThat(between(email.timeline().created(), email.timeline().preparing()))
        .as("from stored to preparing")
        .isCloseTo(HOUR, SLACK);
    assertThat(email.timeline().sending()).as("sending").isNull();
    assertThat(email.timeline().updated()).isEqualTo(email.timeline().preparing());
  }

  @Test
  void claimingForDeliveryNotesWhenSendingBegan() {
    stored(email());
    TestNode worker = worker("one");
    worker.makeReady();
    advance(HOUR);

    EmailSummary email = worker.claimOnly(State.READY).email();

    assertThat(email.state()).isEqualTo(State.PROCESSING);
    assertThat(between(email.timeline().prepared(), email.timeline().sending()))
        .as("from prepared to sending")
        .isCloseTo(HOUR, SLACK);
    assertThat(between(email.timeline().preparing(), email.timeline().sending()))
        .as("from preparing, which keeps its time, to sending")
        .isCloseTo(HOUR, SLACK);
    assertThat(email.timeline().updated()).isEqualTo(email.timeline().sending());
  }

  @Test
  void aClaimCarriesTheContentAsItWasStored() {
    Bytes payload = Bytes.copyOf(new byte[] {0, -1, 13, 10});
    stored(email().payload(payload));
    TestNode worker = worker("one");

    Claim intake = worker.claimOnly(State.ACCEPTED);
    assertThat(intake.content()).isEqualTo(new StoredContent(payload, null));
    byte[] wire = {7, 8, 9};
    worker.applied(
        Completion.postponed(intake, Duration.ZERO, OutcomeDetails.NONE, Bytes.owned(wire)));
    wire[0] = 1;

    assertThat(worker.claimOnly(State.READY).content())
        .as("content, after the worker wrote into the array it had given")
        .isEqualTo(new StoredContent(payload, Bytes.copyOf(new byte[] {7, 8, 9})));
  }

  @Test
  void aClaimSaysHowLongTheEmailMayStillLeave() {
    stored(email().lifetime(Duration.ofHours(6)));
    advance(Duration.ofHours(2));

    assertThat(worker("one").claimOnly(State.ACCEPTED).timeToExpiry())
        .isCloseTo(Duration.ofHours(4), SLACK);
  }

  @Test
  void anEmailPastItsDeadlineIsGivenAndSaysSo() {
    stored(email().lifetime(HOUR));
    advance(HOUR.multipliedBy(2));

    assertThat(worker("one").claimOnly(State.ACCEPTED).timeToExpiry())
        .isCloseTo(HOUR.negated(), SLACK);
  }

  @Test
  void anEmailForLaterIsGivenWhenItsTimeHasCome() {
    EmailId id = stored(email().sendAt(now().plus(HOUR)).lifetime(HOUR));
    TestNode worker = worker("one");

    assertThat(worker.claim(State.ACCEPTED)).as("an hour too early").isEmpty();
    advance(Duration.ofMinutes(55));
    assertThat(worker.claim(State.ACCEPTED)).as("five minutes too early").isEmpty();
    advance(Duration.ofMinutes(10));

    Claim claim = worker.claimOnly(State.ACCEPTED);
    assertThat(claim.id()).isEqualTo(id);
    assertThat(claim.timeToExpiry())
        .as("its lifetime counts from when it was due")
        .isCloseTo(Duration.ofMinutes(55), SLACK);
  }

  @Test
  void aRetryIsGivenWhenItsTimeHasCome() {
    stored(email());
    TestNode worker = worker("one");
    worker.applied(
        Completion.retry(worker.onTheWireComposed(), HOUR, OutcomeDetails.of("greylisted"), null));

    assertThat(worker.claim(State.READY)).as("an hour too early").isEmpty();
    advance(Duration.ofMinutes(55));
    assertThat(worker.claim(State.READY)).as("five minutes too early").isEmpty();
    advance(Duration.ofMinutes(10));

    assertThat(worker.claimOnly(State.READY).email().progress().attempts()).isEqualTo(1);
  }

  @Test
  void onlyTheStateThatIsAskedForIsGiven() {
    EmailId ready = driver().to(State.READY).id();
    EmailId accepted = stored(email());
    TestNode worker = worker("one");

    assertThat(worker.claim(State.FAILED)).isEmpty();
    assertThat(worker.claimOnly(State.READY).id()).isEqualTo(ready);
    assertThat(worker.claimOnly(State.ACCEPTED).id()).isEqualTo(accepted);
    assertThat(worker.claim(State.READY)).as("what is held already").isEmpty();
    assertThat(worker.claim(State.ACCEPTED)).as("what is held already").isEmpty();
  }

  @Test
  void everyClaimOfAnEmailHasATokenOfItsOwn() {
    stored(email());
    TestNode worker = worker("one");
    List<Long> tokens = new ArrayList<>();

    for (int i = 0; i < 3; i++) {
      Claim claim = worker.claimOnly(State.ACCEPTED);
      tokens.add(claim.token());
      worker.applied(Completion.released(claim, Duration.ZERO, OutcomeDetails.NONE));
    }

    assertThat(tokens).as("tokens of three claims on one email").doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"SENT", "FAILED", "INVALID"})
  void anOutcomeIsClaimedToTellTheHost(State outcome) {
    EmailId id = driver().to(outcome).id();
    EmailSummary before = summary(id);
    advance(HOUR);
    TestNode worker = worker("one");

    Claim claim = worker.claimOnly(outcome);

    assertThat(claim.id()).isEqualTo(id);
    assertThat(claim.state()).isEqualTo(outcome.claimedAs().orElseThrow());
    assertThat(claim.node()).isEqualTo(worker.node());
    assertThat(claim.email().due()).as("due").isNull();
    assertThat(claim.email().callbackUrl()).isEqualTo(SampleEmail.CALLBACK);
    assertThat(claim.email().code()).as("code").isEqualTo(before.code());
    assertThat(claim.email().reason()).as("reason").isEqualTo(before.reason());
    assertThat(summary(id)).isEqualTo(claim.email());
    assertThat(between(claim.email().timeline().preparing(), claim.email().timeline().updated()))
        .as("from preparing, which a callback leaves alone, to the claim")
        .isCloseTo(HOUR, SLACK);
    assertThat(worker.claim(outcome)).as("what is held already").isEmpty();
    assertThat(worker.claim(claim.state())).as("what is held already").isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"CALLING_SENT_CALLBACK", "CALLING_FAILED_CALLBACK", "CALLING_INVALID_CALLBACK"})
  void aCallbackThatWaitsIsClaimedWhenItsTimeHasCome(State calling) {
    EmailStateFixture driver = driver();
    Driven driven = driver.to(calling);
    driver.callLater(driven.held(), HOUR);
    TestNode worker = worker("one");

    assertThat(worker.claim(calling)).as("an hour too early").isEmpty();
    advance(HOUR.plus(SLACK));

    Claim claim = worker.claimOnly(calling);
    assertThat(claim.id()).isEqualTo(driven.id());
    assertThat(claim.state()).isEqualTo(calling);
    assertThat(claim.node()).isEqualTo(worker.node());
    assertThat(claim.token()).as("a new token").isNotEqualTo(driven.held().token());
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"FAILED", "INVALID"})
  void anOutcomeThatNobodyWantsToKnowIsNotClaimed(State outcome) {
    driver().to(outcome, email());
    advance(HOUR);

    assertThat(worker("one").claim(outcome)).isEmpty();
  }

  @Test
  void tenNodesShareAllEmailsWithoutOverlap() {
    List<EmailId> ids = storedPlain(200);
    AtomicInteger given = new AtomicInteger();
    Instant patience = Instant.now().plusSeconds(20);

    List<List<Claim>> byNode =
        Race.among(
            10,
            index -> {
              TestNode worker =
                  new TestNode(index % 2 == 0 ? store : fixture.another(), "node-" + index);
              List<Claim> mine = new ArrayList<>();
              while (given.get() < ids.size() && Instant.now().isBefore(patience)) {
                List<Claim> claims = worker.claim(State.ACCEPTED, 7);
                assertThat(claims).allMatch(claim -> claim.node().equals(worker.node()));
                given.addAndGet(claims.size());
                mine.addAll(claims);
              }
              return mine;
            });

    List<Claim> all = byNode.stream().flatMap(List::stream).toList();
    assertThat(all)
        .as("emails given to ten nodes at once")
        .extracting(Claim::id)
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(ids);
    for (Claim claim : all) {
      assertThat(summary(claim.id())).as("what is stored, and the claim").isEqualTo(claim.email());
    }
  }

  @Test
  void aSingleEmailIsNeverGivenToTwoNodesAtOnce() {
    Race.repeatedly(
        () -> {
          EmailId id = stored(email());

          List<List<Claim>> byNode =
              Race.among(
                  4,
                  index ->
                      new TestNode(index % 2 == 0 ? store : fixture.another(), "node-" + index)
                          .claim(State.ACCEPTED));

          List<Claim> all = byNode.stream().flatMap(List::stream).toList();
          assertThat(all).as("claims on one email by four nodes at once").hasSize(1);
          assertThat(summary(id)).isEqualTo(all.get(0).email());
        });
  }
}
