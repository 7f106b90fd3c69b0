package dev.outbox.testkit;

import static dev.outbox.testkit.SampleEmail.email;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.Priority;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.NewEmail;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.testkit.EmailStateFixture.Driven;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sent emails leave for the log at once, unless the host is still to be told. */
abstract class ArchiveContract extends StoreContract {

  @Test
  void aSentEmailMovesToTheLogAndLosesItsContent() {
    EmailId id = stored(email());
    TestNode worker = worker("one");

    worker.applied(Completion.sent(worker.onTheWireComposed(), OutcomeDetails.NONE, false));

    assertThat(summary(id).state()).isEqualTo(State.SENT);
    assertThat(summary(id).archived()).as("in the log").isTrue();
    assertThat(content(id)).as("content of a sent email").isNull();
    assertThat(store.stats()).as("emails that are not in the log").isEmpty();
    assertThat(store.claimsOf(worker.node(), ALL)).isEmpty();
    assertThat(store.history(id)).as("history of the normal way").isEmpty();
  }

  @Test
  void theLogKeepsEverythingButTheContent() {
    NewEmail written =
        email()
            .cc("Grace <grace@example.com>")
            .bcc("alan@example.com")
            .priority(Priority.BULK)
            .tags("orders", "vip")
            .requestId("request-1")
            .key("order-42")
            .build();
    store.insert(List.of(written));
    TestNode worker = worker("one");
    Claim claim = worker.onTheWire();
    List<RecipientResult> results =
        List.of(
            new RecipientResult(
                "ada@example.com", RecipientResult.Status.ACCEPTED, "250 2.1.5 ok"));
    advance(HOUR);
    EmailSummary before = summary(written.id());

    worker.applied(
        Completion.sent(claim, OutcomeDetails.NONE.response("250 ok").recipients(results), false));

    EmailSummary after = summary(written.id());
    assertThat(after.addressesAndSubject()).isEqualTo(written.addressesAndSubject());
    assertThat(after.priority()).isEqualTo(Priority.BULK);
    assertThat(after.template()).isEqualTo(written.template());
    assertThat(after.tags()).isEqualTo(written.tags());
    assertThat(after.requestId()).isEqualTo("request-1");
    assertThat(after.progress()).isEqualTo(before.progress());
    assertThat(after.deadline()).isEqualTo(before.deadline());
    assertThat(after.response()).isEqualTo("250 ok");
    assertThat(after.recipients()).isEqualTo(results);
    assertThat(after.timeline().created()).isEqualTo(before.timeline().created());
    assertThat(after.timeline().preparing()).isEqualTo(before.timeline().preparing());
    assertThat(after.timeline().prepared()).isEqualTo(before.timeline().prepared());
    assertThat(after.timeline().sending()).isEqualTo(before.timeline().sending());
    assertThat(between(after.timeline().sending(), after.timeline().sent()))
        .as("from sending to sent")
        .isCloseTo(HOUR, SLACK);
    assertThat(after.due()).as("due").isNull();
    assertThat(after.owner()).as("owner").isNull();
    assertThat(after.code()).as("code").isNull();
  }

  @Test
  void contentThatIsToBeKeptGoesToTheLogToo() {
    EmailId id = stored(email());
    TestNode worker = worker("one");
    Claim claim = worker.onTheWireComposed();

    worker.applied(Completion.sent(claim, OutcomeDetails.NONE, /* keepsContent= */ true));

    assertThat(summary(id).archived()).as("in the log").isTrue();
    assertThat(content(id)).isEqualTo(claim.content());
  }

  @Test
  void aSentEmailStaysUntilTheHostIsTold() {
    EmailId id = stored(email().callback());
    TestNode worker = worker("one");

    worker.applied(Completion.sent(worker.onTheWireComposed(), OutcomeDetails.NONE, false));
    assertThat(summary(id).archived()).as("in the log when sent").isFalse();
    assertThat(content(id)).as("content when sent").isNull();

    worker.applied(
        Completion.callbackRetry(worker.claimOnly(State.SENT), Duration.ZERO, OutcomeDetails.NONE));
    assertThat(summary(id).archived()).as("in the log when called in vain").isFalse();

    worker.applied(
        Completion.callbackAcknowledged(
            worker.claimOnly(State.CALLING_SENT_CALLBACK), OutcomeDetails.NONE, false));
    assertThat(summary(id).archived()).as("in the log when acknowledged").isTrue();
    assertThat(summary(id).state()).isEqualTo(State.SENT_ACKNOWLEDGED);
    assertThat(summary(id).callbackUrl()).isEqualTo(SampleEmail.CALLBACK);
    assertThat(store.stats()).as("emails that are not in the log").isEmpty();
  }

  @Test
  void aSentEmailWhoseCallbackIsGivenUpIsArchivedAsItIs() {
    EmailStateFixture driver = driver();
    Driven driven = driver.to(State.CALLING_SENT_CALLBACK);

    driver
        .worker()
        .applied(Completion.callbackAbandoned(driven.held(), OutcomeDetails.of("gone"), false));

    assertThat(summary(driven.id()).archived()).as("in the log").isTrue();
    assertThat(summary(driven.id()).state()).isEqualTo(State.CALLING_SENT_CALLBACK);
    assertThat(store.stats()).as("emails that are not in the log").isEmpty();
  }

  @Test
  void whatDidNotLeaveIsNotArchived() {
    TestNode worker = worker("one");
    EmailId failed = stored(email());
    worker.applied(
        Completion.failed(worker.onTheWire(), FailureCode.REFUSED, OutcomeDetails.NONE, null));
    EmailId invalid = stored(email());
    worker.applied(Completion.invalid(worker.claimOnly(State.ACCEPTED), OutcomeDetails.NONE));

    assertThat(summary(failed).archived()).as("a failed email in the log").isFalse();
    assertThat(summary(invalid).archived()).as("an invalid email in the log").isFalse();
  }

  @Test
  void aBatchArchivesSomeAndKeepsOthers() {
    List<EmailId> ids = storedPlain(3);
    TestNode worker = worker("one");
    List<Claim> claims =
        worker.allOnTheWire().stream().sorted((a, b) -> a.id().compareTo(b.id())).toList();

    store.complete(
        List.of(
            Completion.sent(claims.get(0), OutcomeDetails.NONE, false),
            Completion.failed(claims.get(1), FailureCode.REFUSED, OutcomeDetails.NONE, null),
            Completion.sent(claims.get(2), OutcomeDetails.NONE, true)));

    assertThat(ids.stream().map(id -> summary(id).archived())).containsExactly(true, false, true);
    assertThat(ids.stream().map(id -> content(id) == null)).containsExactly(true, false, false);
  }

  @Test
  void anEmailIsNeverMissingWhileItIsBeingArchived() {
    TestNode worker = worker("one");
    Race.repeatedly(
        () -> {
          String tag = EmailId.next().toString();
          EmailId id = stored(email().tags(tag));
          Claim claim = worker.onTheWire();

          Race.between(
              () -> worker.complete(Completion.sent(claim, OutcomeDetails.NONE, false)),
              () -> {
                for (int look = 0; look < 5; look++) {
                  assertThat(fixture.another().find(id)).as("the email, looked up").isPresent();
                  assertThat(tagged(tag)).as("the email, listed").hasSize(1);
                }
                return id;
              });
        });
  }
}
