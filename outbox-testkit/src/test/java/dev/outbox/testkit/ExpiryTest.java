package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.State;
import dev.outbox.transport.DeliveryResult;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** No email leaves after its time. */
class ExpiryTest {

  private static final Duration HOUR = Duration.ofHours(1);

  private final WireTap wire = new WireTap();
  private final TestOutbox mail = TestOutbox.with(builder -> builder.transport(wire));
  private final Outbox outbox = mail.outbox();

  @AfterEach
  void everyHistoryIsAPath() {
    Paths.checkAll(outbox);
  }

  @Test
  void anEmailThatIsTooOldWhenItIsClaimedIsNotEvenComposed() {
    EmailId id = send(HOUR);
    mail.advance(HOUR);

    mail.process();

    assertExpired(id, 0);
    assertThat(wire.composed()).isZero();
  }

  @Test
  void anEmailThatGetsTooOldWhileOthersAreSentIsNotSent() {
    send(Duration.ofDays(1));
    EmailId second = send(HOUR);
    wire.answer(
        envelope -> {
          mail.advance(HOUR);
          return RecordingTransport.accept(envelope);
        });

    mail.process();

    assertExpired(second, 1);
  }

  @Test
  void anEmailThatGetsTooOldWhileItIsComposedIsNotSent() {
    EmailId id = send(HOUR);
    wire.compose(
        message -> {
          mail.advance(HOUR);
          return Bytes.utf8("late");
        });

    mail.process();

    assertExpired(id, 0);
  }

  @Test
  void anEmailThatGetsTooOldWhileOthersAreComposedIsNotSent() {
    EmailId id = send(HOUR);
    EmailId slow = send(Duration.ofDays(1));
    wire.compose(
        message -> {
          if (message.id().equals(slow)) {
            mail.advance(HOUR);
          }
          return Bytes.utf8("x");
        });

    mail.process();

    assertThat(Mails.summary(mail, id).code()).isEqualTo(FailureCode.EXPIRED);
  }

  @Test
  void anEmailThatGotTooOldWaitingForItsRetryIsNotSent() {
    wire.answer(RecordingTransport::defer);
    EmailId id = send(HOUR);
    mail.process();
    wire.answer(RecordingTransport::accept);
    mail.advance(HOUR);

    mail.process();

    assertExpired(id, 1);
  }

  @Test
  void anEmailIsGivenUpAtOnceWhenItsRetryWouldComeTooLate() {
    wire.answer(RecordingTransport::defer);
    EmailId id = send(Duration.ofSeconds(60));

    mail.process();

    assertExpired(id, 1);
    assertThat(Mails.summary(mail, id).response()).isEqualTo("450 4.2.0 try again later");
  }

  @Test
  void anEmailIsGivenUpAtOnceWhenItIsPostponedForTooLong() {
    wire.answer(envelope -> new DeliveryResult.Postponed(HOUR, "slow down", null));
    EmailId id = send(HOUR);

    mail.process();

    assertExpired(id, 1);
  }

  @Test
  void anEmailPostponedAgainAndAgainExpiresInTheEnd() {
    wire.answer(envelope -> new DeliveryResult.Postponed(Duration.ofMinutes(7), "slow down", null));
    EmailId id = send(HOUR);
    for (int i = 0; i < 10; i++) {
      mail.process();
      mail.advance(Duration.ofMinutes(7));
    }

    assertThat(Mails.summary(mail, id).code()).isEqualTo(FailureCode.EXPIRED);
    assertThat(wire.offers()).hasSizeBetween(8, 9);
  }

  @Test
  void anExpiredEmailIsRequeuedWithANewLife() {
    EmailId id = send(HOUR);
    mail.advance(Duration.ofDays(2));
    mail.process();

    assertThat(outbox.requeue(id)).isTrue();
    mail.process();

    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.SENT);
  }

  @Test
  void othersInTheSameClaimAreSent() {
    EmailId old = send(HOUR);
    mail.advance(HOUR);
    outbox.sendAll(Mails.many(10));

    mail.process();

    assertExpired(old, 10);
  }

  private EmailId send(Duration life) {
    return outbox.send(Mails.to("ada@example.com").expireAfter(life).build()).id();
  }

  private void assertExpired(EmailId id, int offers) {
    EmailSummary email = Mails.summary(mail, id);
    assertThat(email.state()).isEqualTo(State.FAILED);
    assertThat(email.code()).isEqualTo(FailureCode.EXPIRED);
    assertThat(email.due()).isNull();
    assertThat(wire.offers()).hasSize(offers);
  }
}
