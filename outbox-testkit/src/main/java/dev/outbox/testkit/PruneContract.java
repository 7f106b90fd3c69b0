package dev.outbox.testkit;

import static dev.outbox.testkit.SampleEmail.email;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.State;
import dev.outbox.settings.RetentionSettings;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.InsertResult;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.testkit.EmailStateFixture.Driven;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Removing what is older than its retention, and nothing else. */
abstract class PruneContract extends StoreContract {

  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration LONG = Duration.ofDays(1_000);
  private static final RetentionSettings NOTHING_IS_KEPT =
      new RetentionSettings(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);

  @Test
  void eachKindHasARetentionOfItsOwn() {
    EmailId sent = sent(email());
    EmailId failed = driver().to(State.FAILED, email()).id();
    EmailId invalid = driver().to(State.INVALID, email()).id();
    advance(DAY.multipliedBy(2));

    assertThat(store.prune(new RetentionSettings(LONG, LONG, LONG, LONG), ALL)).isZero();
    assertLeft(sent, failed, invalid);
    assertThat(store.prune(new RetentionSettings(LONG, DAY, LONG, LONG), ALL)).isEqualTo(1);
    assertLeft(sent, invalid);
    assertThat(store.prune(new RetentionSettings(LONG, LONG, DAY, LONG), ALL)).isEqualTo(1);
    assertLeft(sent);
    assertThat(store.prune(new RetentionSettings(DAY, LONG, LONG, LONG), ALL)).isEqualTo(1);
    assertLeft();
  }

  @Test
  void retentionCountsFromWhenTheEmailWasSettled() {
    EmailId id = stored(email());
    advance(DAY.multipliedBy(10));
    TestNode worker = worker("one");
    worker.applied(
        Completion.failed(worker.onTheWire(), FailureCode.EXPIRED, OutcomeDetails.NONE, null));
    RetentionSettings days = new RetentionSettings(LONG, DAY.multipliedBy(5), LONG, LONG);
    advance(DAY.multipliedBy(4));

    assertThat(store.prune(days, ALL)).as("pruned before its time").isZero();
    advance(DAY.multipliedBy(2));
    assertThat(store.prune(days, ALL)).as("pruned after its time").isEqualTo(1);
    assertThat(store.find(id)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"SENT", "FAILED", "INVALID"})
  void neitherTellingTheHostNorErasingMakesRetentionLonger(State outcome) {
    EmailId id = driver().to(outcome).id();
    RetentionSettings days =
        new RetentionSettings(
            DAY.multipliedBy(5), DAY.multipliedBy(5), DAY.multipliedBy(5), DAY.multipliedBy(5));
    advance(DAY.multipliedBy(4));
    TestNode worker = worker("one");
    worker.applied(
        Completion.callbackAcknowledged(worker.claimOnly(outcome), OutcomeDetails.NONE, false));
    move(OperatorAction.ERASE, id);

    assertThat(store.prune(days, ALL)).as("pruned before its time").isZero();
    advance(DAY.multipliedBy(2));
    assertThat(store.prune(days, ALL)).as("pruned after its time").isEqualTo(1);
  }

  @Test
  void aPrunedEmailIsGoneWithItsHistoryAndItsKey() {
    EmailId sent = stored(email().key("sent"));
    TestNode worker = worker("one");
    worker.applied(
        Completion.retry(
            worker.onTheWire(), Duration.ZERO, OutcomeDetails.of("x"), TestNode.COMPOSED));
    worker.applied(Completion.sent(worker.claimOnly(State.READY), OutcomeDetails.NONE, true));
    EmailId failed = driver().to(State.FAILED, email().key("failed")).id();
    advance(DAY);

    assertThat(store.prune(NOTHING_IS_KEPT, ALL)).isEqualTo(2);

    for (EmailId id : new EmailId[] {sent, failed}) {
      assertThat(store.find(id)).isEmpty();
      assertThat(store.history(id)).as("history of a pruned email").isEmpty();
    }
    assertThat(insert(email().key("sent")).status()).isEqualTo(InsertResult.Status.CREATED);
    assertThat(insert(email().key("failed")).status()).isEqualTo(InsertResult.Status.CREATED);
  }

  @Test
  void keysOfWhatIsKeptAreKept() {
    EmailId sent = sent(email().key("sent"));
    EmailId pruned = driver().to(State.INVALID, email().key("pruned")).id();
    advance(DAY);

    assertThat(store.prune(new RetentionSettings(LONG, LONG, Duration.ZERO, LONG), ALL))
        .isEqualTo(1);

    assertThat(store.find(pruned)).isEmpty();
    assertThat(insert(email().key("sent")))
        .isEqualTo(new InsertResult(sent, InsertResult.Status.EXISTING));
  }

  @Test
  void aPruneTakesNoMoreThanItsLimit() {
    TestNode worker = worker("one");
    storedPlain(5);
    for (Claim claim : worker.claim(State.ACCEPTED)) {
      worker.applied(Completion.sent(worker.proceed(claim), OutcomeDetails.NONE, false));
    }
    storedPlain(2);
    for (Claim claim : worker.claim(State.ACCEPTED)) {
      worker.applied(Completion.invalid(claim, OutcomeDetails.NONE));
    }
    advance(DAY);

    assertThat(store.prune(NOTHING_IS_KEPT, 3)).isEqualTo(3);
    assertThat(everything()).hasSize(4);
    assertThat(store.prune(NOTHING_IS_KEPT, 3)).isEqualTo(3);
    assertThat(store.prune(NOTHING_IS_KEPT, 3)).isEqualTo(1);
    assertThat(store.prune(NOTHING_IS_KEPT, 3)).isZero();
    assertThat(everything()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(State.class)
  void onlyWhatIsFinishedIsRemoved(State state) {
    Driven driven = driver().to(state);
    EmailSummary email = summary(driven.id());
    boolean finished = email.due() == null && email.owner() == null;
    advance(DAY);

    store.prune(NOTHING_IS_KEPT, ALL);

    assertThat(store.find(driven.id()).isEmpty())
        .as("gone from %s, where it is finished: %s", state.wireName(), finished)
        .isEqualTo(finished);
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"CALLING_SENT_CALLBACK", "CALLING_FAILED_CALLBACK", "CALLING_INVALID_CALLBACK"})
  void aCallbackThatWaitsIsNotRemovedAndOneThatWasGivenUpIs(State calling) {
    EmailStateFixture driver = driver();
    Driven waits = driver.to(calling);
    driver.callLater(waits.held(), LONG);
    Driven givenUp = driver.to(calling);
    driver
        .worker()
        .applied(Completion.callbackAbandoned(givenUp.held(), OutcomeDetails.NONE, false));
    advance(DAY);

    store.prune(NOTHING_IS_KEPT, ALL);

    assertLeft(waits.id());
  }

  @Test
  void contentOfSentMailIsDroppedBeforeTheLogIs() {
    EmailId id = stored(email().key("order-42"));
    TestNode worker = worker("one");
    worker.applied(
        Completion.sent(worker.onTheWireComposed(), OutcomeDetails.NONE, /* keepsContent= */ true));
    RetentionSettings retention = new RetentionSettings(DAY.multipliedBy(3), LONG, LONG, DAY);

    assertThat(store.prune(retention, ALL)).as("emptied at once").isZero();
    assertThat(content(id)).as("content within its retention").isNotNull();
    advance(DAY.multipliedBy(2));
    assertThat(store.prune(retention, ALL)).as("emptied after a day").isEqualTo(1);

    assertThat(content(id)).as("content after its retention").isNull();
    assertThat(summary(id).addressesAndSubject()).as("headline").isNotNull();
    assertThat(insert(email().key("order-42")).status()).isEqualTo(InsertResult.Status.EXISTING);
    assertThat(store.prune(retention, ALL)).as("emptied twice").isZero();
    advance(DAY.multipliedBy(2));
    assertThat(store.prune(retention, ALL))
        .as("removed after three days, which count from when it was sent")
        .isEqualTo(1);
    assertThat(store.find(id)).isEmpty();
  }

  @Test
  void contentOfWhatDidNotLeaveIsKept() {
    EmailId failed = driver().to(State.FAILED, email()).id();
    advance(DAY);

    store.prune(new RetentionSettings(LONG, LONG, LONG, Duration.ZERO), ALL);

    assertThat(content(failed)).isNotNull();
  }

  private EmailId sent(SampleEmail sample) {
    EmailId id = stored(sample);
    TestNode worker = worker("one");
    worker.applied(Completion.sent(worker.onTheWire(), OutcomeDetails.NONE, false));
    return id;
  }

  private void assertLeft(EmailId... ids) {
    assertThat(everything())
        .as("what is left")
        .extracting(EmailSummary::id)
        .containsExactlyInAnyOrder(ids);
  }
}
