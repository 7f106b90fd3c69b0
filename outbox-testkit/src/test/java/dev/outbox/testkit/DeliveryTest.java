package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.outbox.Outbox;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.HistoryEntry;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.RecipientResult.Status;
import dev.outbox.email.State;
import dev.outbox.retry.RetryPolicy;
import dev.outbox.transport.DeliveryResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the relay's answers make of an email. */
class DeliveryTest {

  private static final String ADA = "ada@example.com";
  private static final String BOB = "bob@example.com";
  private static final String CY = "cy@example.com";

  private final WireTap wire = new WireTap();
  private final TestOutbox mail =
      TestOutbox.with(builder -> builder.transport(wire).retries(RetryPolicy.schedule("1m,5m")));
  private final Outbox outbox = mail.outbox();

  @AfterEach
  void everyHistoryIsAPath() {
    Paths.checkAll(outbox);
  }

  @Test
  void anEmailThatAllRecipientsAcceptedIsSentAndArchivedWithoutItsContent() {
    EmailId id = send(ADA, BOB);

    mail.process();

    EmailSummary email = Mails.summary(mail, id);
    assertThat(email.state()).isEqualTo(State.SENT);
    assertThat(email.archived()).isTrue();
    assertThat(email.response()).isEqualTo("250 2.0.0 ok");
    assertThat(email.recipients())
        .extracting(RecipientResult::status)
        .containsExactly(Status.ACCEPTED, Status.ACCEPTED);
    assertThat(email.progress().attempts()).isZero();
    assertThat(outbox.find(id).orElseThrow().content()).isNull();
    assertThat(outbox.stats().states()).isEmpty();
  }

  @Test
  void eachMailboxIsOfferedOnce() {
    outbox.send(Mails.to(ADA, "ADA@example.com").cc(ADA).bcc(BOB).build());

    mail.process();

    assertThat(recipientsOffered()).containsExactly(List.of(ADA, BOB));
  }

  @Test
  void aRetryOffersOnlyTheOpenRecipients() {
    wire.answer(Mails.each(Map.of(BOB, Status.PENDING, CY, Status.PENDING)));
    EmailId id = send(ADA, BOB, CY);
    mail.process();
    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.READY);
    assertThat(statuses(id))
        .containsExactly(
            tuple(ADA, Status.ACCEPTED), tuple(BOB, Status.PENDING), tuple(CY, Status.PENDING));

    wire.answer(Mails.each(Map.of(CY, Status.PENDING)));
    mail.advance(Duration.ofMinutes(1));
    mail.process();
    wire.answer(RecordingTransport::accept);
    mail.advance(Duration.ofMinutes(5));
    mail.process();

    assertThat(recipientsOffered())
        .containsExactly(List.of(ADA, BOB, CY), List.of(BOB, CY), List.of(CY));
    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.SENT);
    assertThat(Mails.summary(mail, id).progress().attempts()).isEqualTo(2);
  }

  @Test
  void anEmailThatSomeRecipientsRefusedFailsWithTheListOfAll() {
    wire.answer(Mails.each(Map.of(BOB, Status.REFUSED)));
    EmailId id = send(ADA, BOB);

    mail.process();

    EmailSummary email = Mails.summary(mail, id);
    assertThat(email.state()).isEqualTo(State.FAILED);
    assertThat(email.code()).isEqualTo(FailureCode.REFUSED);
    assertThat(email.progress().attempts()).isEqualTo(1);
    assertThat(statuses(id))
        .containsExactly(tuple(ADA, Status.ACCEPTED), tuple(BOB, Status.REFUSED));
    assertThat(email.due()).isNull();
    assertThat(outbox.find(id).orElseThrow().content()).isNotNull();
  }

  @Test
  void aRefusalWaitsForTheRecipientsThatAreStillOpen() {
    wire.answer(Mails.each(Map.of(ADA, Status.REFUSED, BOB, Status.PENDING)));
    EmailId id = send(ADA, BOB);
    mail.process();
    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.READY);

    wire.answer(RecordingTransport::accept);
    mail.advance(Duration.ofMinutes(1));
    mail.process();

    assertThat(recipientsOffered()).containsExactly(List.of(ADA, BOB), List.of(BOB));
    assertThat(Mails.summary(mail, id).code()).isEqualTo(FailureCode.REFUSED);
    assertThat(statuses(id))
        .containsExactly(tuple(ADA, Status.REFUSED), tuple(BOB, Status.ACCEPTED));
  }

  @Test
  void aRequeueOffersOnlyTheRefusedRecipientsAgain() {
    wire.answer(Mails.each(Map.of(BOB, Status.REFUSED)));
    EmailId id = send(ADA, BOB, CY);
    mail.process();

    wire.answer(RecordingTransport::accept);
    assertThat(outbox.requeue(id)).isTrue();
    mail.process();

    assertThat(recipientsOffered()).containsExactly(List.of(ADA, BOB, CY), List.of(BOB));
    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.SENT);
    assertThat(statuses(id))
        .extracting(status -> status.toList().get(1))
        .containsOnly(Status.ACCEPTED);
  }

  @Test
  void anEmailIsGivenUpWhenThePolicyEnds() {
    wire.answer(RecordingTransport::defer);
    EmailId id = send(ADA);
    mail.process();
    assertThat(Mails.summary(mail, id).due())
        .isEqualTo(mail.store().now().plus(Duration.ofMinutes(1)));
    mail.advance(Duration.ofMinutes(1));
    mail.process();
    assertThat(Mails.summary(mail, id).progress().attempts()).isEqualTo(2);
    mail.advance(Duration.ofMinutes(5));
    mail.process();

    EmailSummary email = Mails.summary(mail, id);
    assertThat(email.state()).isEqualTo(State.FAILED);
    assertThat(email.code()).isEqualTo(FailureCode.ATTEMPTS);
    assertThat(wire.offers()).hasSize(3);
    assertThat(email.progress().attempts()).as("the last delivery counts too").isEqualTo(3);
    assertThat(outbox.history(id)).last().extracting(HistoryEntry::attempt).isEqualTo(3);
    mail.advance(Duration.ofDays(1));
    mail.process();
    assertThat(wire.offers()).hasSize(3);
  }

  @Test
  void aRequeueGivesAllAttemptsAgain() {
    wire.answer(RecordingTransport::defer);
    EmailId id = send(ADA);
    exhaust();
    assertThat(Mails.summary(mail, id).code()).isEqualTo(FailureCode.ATTEMPTS);

    outbox.requeue(id);
    assertThat(Mails.summary(mail, id).code()).isNull();
    exhaust();

    assertThat(wire.offers()).hasSize(6);
    assertThat(Mails.summary(mail, id).code()).isEqualTo(FailureCode.ATTEMPTS);
  }

  private void exhaust() {
    for (int i = 0; i < 4; i++) {
      mail.process();
      mail.advance(Duration.ofMinutes(10));
    }
  }

  @Test
  void everyAttemptSendsTheVeryBytesOfTheFirst() {
    wire.answer(RecordingTransport::defer);
    EmailId id = send(ADA);
    exhaust();
    outbox.requeue(id);
    wire.answer(envelope -> new DeliveryResult.Postponed(Duration.ofMinutes(1), "slow down", null));
    exhaust();
    wire.answer(RecordingTransport::accept);
    exhaust();

    assertThat(wire.offers()).hasSizeGreaterThan(6);
    assertThat(wire.offers())
        .extracting(WireTap.Offer::bytes)
        .containsOnly(wire.offers().get(0).bytes());
    assertThat(wire.composed()).isEqualTo(1);
    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.SENT);
  }

  @Test
  void aPostponedEmailWaitsAndUsesNoAttempt() {
    wire.answer(
        envelope -> new DeliveryResult.Postponed(Duration.ofMinutes(7), "slow down", "421 later"));
    EmailId id = send(ADA);
    for (int i = 0; i < 20; i++) {
      mail.process();
      EmailSummary email = Mails.summary(mail, id);
      assertThat(email.state()).isEqualTo(State.READY);
      assertThat(email.progress().attempts()).isZero();
      assertThat(email.due()).isEqualTo(mail.store().now().plus(Duration.ofMinutes(7)));
      assertThat(email.reason()).isEqualTo("slow down");
      mail.process();
      assertThat(wire.offers()).hasSize(i + 1);
      mail.advance(Duration.ofMinutes(7));
    }

    wire.answer(RecordingTransport::accept);
    mail.process();

    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.SENT);
    assertThat(Mails.summary(mail, id).reason()).isNull();
  }

  @Test
  void whoIsDoneWithWhenTheOthersArePostponedIsNotOfferedAgain() {
    RecipientResult accepted = new RecipientResult(ADA, Status.ACCEPTED, "250 ok");
    wire.answer(
        envelope ->
            new DeliveryResult.Postponed(
                Duration.ofMinutes(1), "slow down", "451 4.3.0 later", List.of(accepted)));
    EmailId id = send(ADA, BOB);
    mail.process();
    assertThat(Mails.summary(mail, id).progress().attempts()).isZero();
    assertThat(Mails.summary(mail, id).recipients()).contains(accepted);

    wire.answer(RecordingTransport::accept);
    mail.advance(Duration.ofMinutes(1));
    mail.process();

    assertThat(wire.offers().get(1).recipients()).containsExactly(BOB);
    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.SENT);
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void anEmailPostponedForNoTimeStillLetsTheRelayBreathe() {
    wire.answer(envelope -> new DeliveryResult.Postponed(Duration.ZERO, "slow down", null));
    EmailId id = send(ADA);

    mail.process();

    assertThat(wire.offers()).hasSize(1);
    assertThat(Mails.summary(mail, id).due()).isAfter(mail.store().now());
  }

  @Test
  void anAnswerThatLeavesARecipientOutIsNoAcceptance() {
    wire.answer(
        envelope ->
            new DeliveryResult.Answered(
                List.of(new RecipientResult(ADA, Status.ACCEPTED, "250 ok")), "250 ok"));
    EmailId id = send(ADA, BOB);
    mail.process();
    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.READY);

    wire.answer(RecordingTransport::accept);
    mail.advance(Duration.ofMinutes(1));
    mail.process();

    assertThat(recipientsOffered()).containsExactly(List.of(ADA, BOB), List.of(BOB));
  }

  @Test
  void whatTheRelaySaidIsInTheHistory() {
    wire.answer(Mails.each(Map.of(ADA, Status.PENDING)));
    EmailId id = send(ADA, BOB);
    mail.process();

    HistoryEntry retry = outbox.history(id).get(3);
    assertThat(retry.state()).isEqualTo(State.READY);
    assertThat(retry.attempt()).isEqualTo(1);
    assertThat(retry.reason())
        .isEqualTo("not every recipient was accepted: reply about mailbox " + ADA);
    assertThat(retry.detail()).isEqualTo("reply for 2");
    assertThat(retry.node()).isNotNull();
  }

  private EmailId send(String... to) {
    return outbox.send(Mails.to(to).build()).id();
  }

  private List<List<String>> recipientsOffered() {
    return wire.offers().stream().map(WireTap.Offer::recipients).toList();
  }

  private List<Tuple> statuses(EmailId id) {
    return Mails.summary(mail, id).recipients().stream()
        .map(each -> tuple(each.recipient(), each.status()))
        .toList();
  }
}
