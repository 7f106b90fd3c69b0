package dev.outbox.testkit;

import static dev.outbox.testkit.SampleEmail.email;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.State;
import dev.outbox.settings.RetentionSettings;
import dev.outbox.settings.UnknownOutcomePolicy;
import dev.outbox.store.ActionResult;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.HistoryRecord;
import dev.outbox.store.InsertResult;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.ReapPolicy;
import dev.outbox.store.StoredEmail;
import dev.outbox.testkit.EmailStateFixture.Driven;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Taking personal data away, in every state, and for good. */
abstract class EraseContract extends StoreContract {

  private static final OutcomeDetails WORDS =
      OutcomeDetails.of("no mailbox for Ada")
          .response("550 ada@example.com unknown")
          .recipients(
              List.of(
                  new RecipientResult(
                      "ada@example.com", RecipientResult.Status.REFUSED, "550 no Ada")));

  @ParameterizedTest
  @EnumSource(State.class)
  void erasingWorksWhereTheTableSaysSo(State state) {
    Driven driven = driver().to(state);
    StoredEmail before = found(driven.id());
    int rows = store.history(driven.id()).size();

    ActionResult moved = move(OperatorAction.ERASE, driven.id());

    if (state.isErasable()) {
      State expected = state.isCancellable() ? State.FAILED : state;
      assertThat(moved)
          .as("answer in %s", state.wireName())
          .isEqualTo(new ActionResult(driven.id(), ActionResult.Status.DONE, expected));
      assertErased(driven.id());
      assertThat(summary(driven.id()).state()).isEqualTo(expected);
      assertThat(store.history(driven.id())).as("history").hasSizeGreaterThan(rows);
      assertThat(lastRow(driven.id()).node()).as("node, of what was done by hand").isNull();
    } else {
      assertThat(moved)
          .as("answer in %s", state.wireName())
          .isEqualTo(new ActionResult(driven.id(), ActionResult.Status.REFUSED, state));
      assertThat(found(driven.id())).as("the email after a refusal").isEqualTo(before);
    }
  }

  @Test
  void nothingPersonalIsLeftOfAFailedEmail() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    worker.applied(Completion.retry(worker.onTheWire(), Duration.ZERO, WORDS, TestNode.COMPOSED));
    worker.applied(
        Completion.failed(worker.claimOnly(State.READY), FailureCode.REFUSED, WORDS, null));

    move(OperatorAction.ERASE, id);

    assertErased(id);
    assertThat(summary(id).state()).isEqualTo(State.FAILED);
    assertThat(summary(id).code()).as("code").isEqualTo(FailureCode.REFUSED);
    assertThat(store.history(id).subList(0, 2))
        .as("steps of the history, which stay")
        .extracting(HistoryRecord::to)
        .containsExactly(State.READY, State.FAILED);
  }

  @Test
  void nothingPersonalIsLeftInTheLog() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    worker.applied(Completion.retry(worker.onTheWire(), Duration.ZERO, WORDS, TestNode.COMPOSED));
    worker.applied(
        Completion.sent(
            worker.claimOnly(State.READY),
            OutcomeDetails.NONE.response("250 for Ada"),
            /* keepsContent= */ true));

    assertThat(move(OperatorAction.ERASE, id))
        .isEqualTo(new ActionResult(id, ActionResult.Status.DONE, State.SENT));

    assertErased(id);
    assertThat(summary(id).archived()).isTrue();
    assertThat(summary(id).timeline().sent()).as("sent").isNotNull();
  }

  @Test
  void anErasedEmailKeepsItsKey() {
    EmailId waiting = stored(email().key("waiting"));
    move(OperatorAction.ERASE, waiting);
    EmailId sent = stored(email().key("sent"));
    TestNode worker = worker("one");
    worker.applied(Completion.sent(worker.onTheWire(), OutcomeDetails.NONE, false));
    move(OperatorAction.ERASE, sent);

    assertThat(insert(email().key("waiting")))
        .isEqualTo(new InsertResult(waiting, InsertResult.Status.EXISTING));
    assertThat(insert(email().key("waiting", "other content")))
        .isEqualTo(new InsertResult(waiting, InsertResult.Status.CONFLICT));
    assertThat(insert(email().key("sent")))
        .isEqualTo(new InsertResult(sent, InsertResult.Status.EXISTING));
  }

  @Test
  void anErasedEmailCannotBeRequeued() {
    EmailId id = driver().to(State.FAILED, email()).id();
    move(OperatorAction.ERASE, id);
    StoredEmail erased = found(id);

    assertThat(move(OperatorAction.REQUEUE, id))
        .isEqualTo(new ActionResult(id, ActionResult.Status.REFUSED, State.FAILED));
    assertThat(found(id)).isEqualTo(erased);
  }

  @Test
  void waitingMailIsCancelledFirst() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    Claim claim = worker.claimOnly(State.ACCEPTED);

    move(OperatorAction.ERASE, id);

    assertThat(summary(id).code()).isEqualTo(FailureCode.CANCELLED);
    assertThat(summary(id).owner()).as("owner").isNull();
    assertThat(store.beginDelivery(List.of(claim))).as("claims that still stand").isEmpty();
    assertThat(worker.claim(State.ACCEPTED)).isEmpty();
    assertThat(move(OperatorAction.CANCEL, id).status()).isEqualTo(ActionResult.Status.DONE);
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"ACCEPTED", "FAILED_ACKNOWLEDGED", "SENT_ACKNOWLEDGED"})
  void theSameEmailTwiceInOneListIsErasedOnce(State state) {
    EmailId twice = driver().to(state).id();
    EmailId once = driver().to(state).id();

    List<ActionResult> results = store.apply(OperatorAction.ERASE, List.of(twice, once, twice));

    assertThat(results).extracting(ActionResult::status).containsOnly(ActionResult.Status.DONE);
    assertThat(store.history(twice))
        .as("history of an email that is in the list twice")
        .hasSameSizeAs(store.history(once));
  }

  @Test
  void erasingTwiceIsDone() {
    EmailId id = driver().to(State.FAILED, email()).id();
    move(OperatorAction.ERASE, id);

    assertThat(move(OperatorAction.ERASE, id))
        .isEqualTo(new ActionResult(id, ActionResult.Status.DONE, State.FAILED));
    assertErased(id);
  }

  @Test
  void theHostIsStillToldAboutAnErasedEmail() {
    EmailStateFixture driver = driver();
    Driven driven = driver.to(State.CALLING_FAILED_CALLBACK);

    move(OperatorAction.ERASE, driven.id());

    assertThat(
            driver.worker().complete(Completion.callbackAcknowledged(driven.held(), WORDS, false)))
        .as("acknowledged by the one who was telling the host")
        .isEqualTo(CompletionResult.APPLIED);
    assertThat(summary(driven.id()).state()).isEqualTo(State.FAILED_ACKNOWLEDGED);
    assertErased(driven.id());
  }

  @Test
  void theCallbackOfAnErasedEmailCanStillBeClaimed() {
    EmailId id = driver().to(State.FAILED).id();

    move(OperatorAction.ERASE, id);

    Claim claim = worker("caller").claimOnly(State.FAILED);
    assertThat(claim.id()).isEqualTo(id);
    assertThat(claim.email().erased()).as("erased").isTrue();
    assertThat(claim.content()).as("content").isNull();
  }

  @Test
  void aLateDeliveryBringsNothingPersonalBack() {
    EmailId id = stored(email());
    TestNode late = worker("late");
    Claim claim = late.onTheWire();
    late.die(new ReapPolicy(2, 5, UnknownOutcomePolicy.HOLD));
    move(OperatorAction.ERASE, id);

    late.applied(
        Completion.sent(
            claim,
            OutcomeDetails.NONE
                .response("250 for Ada")
                .subject("Dear Ada")
                .recipients(WORDS.recipients()),
            /* keepsContent= */ true));

    assertThat(summary(id).state()).isEqualTo(State.SENT);
    assertErased(id);
  }

  @Test
  void aPossibleDuplicateBringsNothingPersonalBack() {
    EmailId id = stored(email());
    TestNode late = worker("late");
    Claim stale = late.onTheWireComposed();
    late.die();
    move(OperatorAction.ERASE, id);

    assertThat(late.complete(Completion.sent(stale, WORDS, false)))
        .as("a delivery of an email that was erased, and so cancelled, meanwhile")
        .isEqualTo(CompletionResult.POSSIBLE_DUPLICATE);

    assertThat(summary(id).state()).isEqualTo(State.FAILED);
    assertErased(id);
  }

  @Test
  void erasedEmailsArePrunedLikeOthers() {
    EmailId id = driver().to(State.INVALID, email()).id();
    move(OperatorAction.ERASE, id);
    advance(Duration.ofDays(31));

    assertThat(store.prune(RetentionSettings.DEFAULT, ALL)).isEqualTo(1);
    assertThat(store.find(id)).isEmpty();
  }

  @Test
  void othersKeepTheirData() {
    EmailId erased = stored(email());
    EmailId other = stored(email());
    StoredEmail before = found(other);

    move(OperatorAction.ERASE, erased);

    assertThat(found(other)).isEqualTo(before);
  }

  private void assertErased(EmailId id) {
    EmailSummary email = summary(id);
    assertThat(email.erased()).as("erased").isTrue();
    assertThat(email.addressesAndSubject()).as("headline").isNull();
    assertThat(email.reason()).as("reason").isNull();
    assertThat(email.response()).as("response").isNull();
    assertThat(email.recipients()).as("recipients").isEmpty();
    assertThat(content(id)).as("content").isNull();
    assertThat(store.history(id))
        .as("words of relays and receivers in the history")
        .allMatch(row -> row.detail() == null, "has no words of others");
    assertThat(store.history(id).stream().map(HistoryRecord::reason).filter(Objects::nonNull))
        .as("words of our own in the history")
        .noneMatch(
            reason ->
                reason.contains("Ada") || reason.contains("mailbox") || reason.contains("variable"),
            "says something about the email");
  }
}
