package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.State;
import dev.outbox.retry.RetryPolicy;
import dev.outbox.settings.UnknownOutcomePolicy;
import dev.outbox.transport.DeliveryResult;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** When nobody can say whether the relay has an email. */
class UnknownOutcomeTest {

  private final WireTap wire = new WireTap();

  @Test
  void theDefaultIsToSendAgainAndThatUsesAnAttempt() {
    TestOutbox mail = mail(UnknownOutcomePolicy.RESEND);
    wire.answer(envelope -> new DeliveryResult.Unknown("connection lost"));
    EmailId id = mail.outbox().send(Mails.plain()).id();
    mail.process();

    EmailSummary email = Mails.summary(mail, id);
    assertThat(email.state()).isEqualTo(State.READY);
    assertThat(email.progress().attempts()).isEqualTo(1);
    assertThat(email.reason()).isEqualTo("connection lost");

    wire.answer(RecordingTransport::accept);
    mail.advance(Duration.ofMinutes(1));
    mail.process();
    assertThat(wire.offers()).hasSize(2);
    assertThat(wire.offers().get(1)).isEqualTo(wire.offers().get(0));
    assertThat(Paths.path(mail.outbox(), id)).endsWith(State.SENT);
  }

  @Test
  void underHoldItWaitsForAnOperator() {
    TestOutbox mail = mail(UnknownOutcomePolicy.HOLD);
    wire.answer(envelope -> new DeliveryResult.Unknown("connection lost"));
    EmailId id = mail.outbox().send(Mails.plain()).id();
    mail.process();
    mail.advance(Duration.ofDays(1));
    mail.process();

    EmailSummary email = Mails.summary(mail, id);
    assertThat(email.state()).isEqualTo(State.FAILED);
    assertThat(email.code()).isEqualTo(FailureCode.OUTCOME_UNKNOWN);
    assertThat(email.reason()).isEqualTo("connection lost");
    assertThat(wire.offers()).hasSize(1);

    wire.answer(RecordingTransport::accept);
    assertThat(mail.outbox().requeue(id)).isTrue();
    mail.process();
    assertThat(wire.offers().get(1)).isEqualTo(wire.offers().get(0));
    assertThat(Paths.path(mail.outbox(), id)).endsWith(State.SENT);
  }

  static Stream<Throwable> throwables() {
    return ComposeTest.throwables();
  }

  @ParameterizedTest
  @MethodSource("throwables")
  void whateverDeliveringThrowsLeavesTheOutcomeUnknown(Throwable thrown) {
    for (UnknownOutcomePolicy policy : UnknownOutcomePolicy.values()) {
      TestOutbox mail = mail(policy);
      fail(thrown);
      EmailId bad = mail.outbox().send(Mails.to("bad@example.com").build()).id();
      mail.outbox().sendAll(Mails.many(3));

      mail.process();

      EmailSummary email = Mails.summary(mail, bad);
      assertThat(email.state())
          .isEqualTo(policy == UnknownOutcomePolicy.HOLD ? State.FAILED : State.READY);
      assertThat(email.reason())
          .contains(thrown.getClass().getSimpleName())
          .doesNotContain(Mails.PERSONAL);
      assertThat(mail.outbox().stats().sent()).isEqualTo(3);
      Paths.checkAll(mail.outbox());
    }
  }

  @ParameterizedTest
  @MethodSource("throwables")
  void theWorkersOfAStartedOutboxSurviveIt(Throwable thrown) {
    fail(thrown);
    try (Outbox started =
        Outbox.builder(new InMemoryStore())
            .transport(wire)
            .defaultFrom("a@example.com")
            .workers(1)
            .build()
            .start()) {
      EmailId bad = started.send(Mails.to("bad@example.com").build()).id();
      started.sendAll(Mails.many(50));

      await().until(() -> started.stats().sent() == 50);
      await()
          .until(
              () -> started.find(bad).orElseThrow().summary().progress().attempts(),
              attempts -> attempts == 1);
    }
  }

  @Test
  @SuppressWarnings("NullAway") // the defect of a transport written without a null checker
  void aTransportThatAnswersNothingLeavesTheOutcomeUnknown() {
    TestOutbox mail = mail(UnknownOutcomePolicy.HOLD);
    wire.answer(envelope -> null);
    EmailId id = mail.outbox().send(Mails.plain()).id();

    mail.process();

    assertThat(Mails.summary(mail, id).code()).isEqualTo(FailureCode.OUTCOME_UNKNOWN);
  }

  @Test
  void aRetryPolicyThatThrowsDoesNotSendForEver() {
    TestOutbox mail =
        TestOutbox.with(
            builder ->
                builder
                    .transport(wire)
                    .retries(
                        new RetryPolicy() {
                          @Override
                          public Optional<Duration> delayAfter(int attempts) {
                            throw new IllegalStateException("a defect");
                          }

                          @Override
                          public int maxAttempts() {
                            return 3;
                          }
                        }));
    wire.answer(RecordingTransport::defer);
    EmailId id = mail.outbox().send(Mails.plain()).id();

    mail.process();

    assertThat(wire.offers()).hasSize(1);
    assertThat(Mails.summary(mail, id).state()).isEqualTo(State.FAILED);
    assertThat(Mails.summary(mail, id).code()).isEqualTo(FailureCode.ATTEMPTS);
    assertThat(Mails.summary(mail, id).reason()).contains("IllegalStateException");
  }

  private TestOutbox mail(UnknownOutcomePolicy policy) {
    return TestOutbox.with(builder -> builder.transport(wire).unknownOutcome(policy));
  }

  private void fail(Throwable thrown) {
    wire.answer(
        envelope -> {
          if (envelope.recipients().get(0).local().equals("bad")) {
            throw Mails.<RuntimeException>sneaky(thrown);
          }
          return RecordingTransport.accept(envelope);
        });
  }
}
