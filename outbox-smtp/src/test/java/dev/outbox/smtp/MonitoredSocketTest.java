package dev.outbox.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.email.Bytes;
import dev.outbox.email.RecipientResult.Status;
import dev.outbox.transport.DeliveryResult;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What each kind of answer, and of silence, does to an email and to the relay. A thread that waits
 * for a socket cannot be interrupted, and a delivery without an end must fail rather than hang.
 */
@Timeout(value = 15, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MonitoredSocketTest {

  private static final SmtpRelay.Timeouts SHORT =
      new SmtpRelay.Timeouts(
          Duration.ofSeconds(5),
          Duration.ofMillis(700),
          Duration.ofMillis(900),
          Duration.ofSeconds(20));

  /** More than the buffers of both sides hold, so that it cannot be written in one go. */
  private static final Bytes LARGE = Bytes.utf8("a line of a message\r\n".repeat(1_000_000));

  private final ScriptedServer server = ScriptedServer.start();
  private final AtomicLong nanos = new AtomicLong();
  private final SmtpTransport transport =
      SmtpTransport.over(List.of(server.relay().timeouts(SHORT)), nanos::get);
  private final Bytes message = transport.compose(Mails.simple());

  @AfterEach
  void close() {
    transport.close();
    server.close();
  }

  private DeliveryResult send(String... recipients) {
    return transport.deliver(Mails.envelope(recipients), message, () -> true);
  }

  private DeliveryResult send() {
    return send("ada@example.com");
  }

  private DeliveryResult send(SmtpTransport other) {
    return other.deliver(Mails.envelope("ada@example.com"), message, () -> true);
  }

  private static Status only(DeliveryResult result) {
    return ((DeliveryResult.Answered) result).recipients().get(0).status();
  }

  @ParameterizedTest
  @CsvSource({
    "CONNECT, 421 4.3.2 busy",
    "CONNECT, 450 later",
    "EHLO, 421 bye",
    "MAIL, 451 4.2.0 later",
    "RCPT, 451 4.3.0 later",
    "RCPT, 421 later",
    "DATA, 451 4.3.0 later",
    "DATA, 421 later",
    "DOT, 452 4.3.1 full",
    "DOT, 421 later",
  })
  void aRelayThatSlowsUsDownRestsAndUsesNoAttempt(String step, String answer) {
    server.on(step, answer);
    DeliveryResult.Postponed result = (DeliveryResult.Postponed) send();
    assertThat(result.delay()).isEqualTo(Duration.ofSeconds(5));
    assertThat(transport.availableCapacity(100)).isZero();
    assertThat(server.messages()).isEmpty();

    server.usual(step);
    int connections = server.connections();
    assertThat(send()).isInstanceOf(DeliveryResult.Postponed.class);
    assertThat(server.connections()).as("left in peace").isEqualTo(connections);
    nanos.addAndGet(Duration.ofSeconds(5).toNanos());
    assertThat(transport.availableCapacity(100)).as("one email tries").isEqualTo(1);
    assertThat(only(send())).isEqualTo(Status.ACCEPTED);
    assertThat(transport.availableCapacity(100)).isEqualTo(100);
  }

  @ParameterizedTest
  @CsvSource({
    "CONNECT, 554 5.7.1 blocked",
    "MAIL, 530 5.7.0 authentication required",
    "MAIL, 550 5.7.1 not you",
    "RCPT, 530 5.7.0 authentication required",
    "DOT, 535 5.7.8 no",
  })
  void aRelayThatRefusesUsIsPausedAndUsesNoAttempt(String step, String answer) {
    server.on(step, answer);
    DeliveryResult.Postponed result = (DeliveryResult.Postponed) send();
    assertThat(result.delay()).isEqualTo(Duration.ofSeconds(30));
    assertThat(result.response()).isEqualTo(answer);
    assertThat(result.reason()).doesNotContain("blocked").doesNotContain("not you");
    assertThat(transport.availableCapacity(100)).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "RCPT, 452 4.2.2 mailbox full, PENDING",
    "RCPT, 450 4.2.0 greylisted, PENDING",
    "DATA, 451 4.6.0 later, PENDING",
    "DOT, 451 4.6.0 later, PENDING",
    "RCPT, 550 5.1.1 unknown, REFUSED",
    "DATA, 554 5.7.1 no, REFUSED",
    "DOT, 554 5.7.1 spam, REFUSED",
    "MAIL, 552 5.3.4 too big, REFUSED",
  })
  void oneEmailsTroubleNeitherSlowsNorPausesTheRelay(String step, String answer, Status status) {
    server.on(step, answer);
    DeliveryResult.Answered result = (DeliveryResult.Answered) send();
    assertThat(only(result)).isEqualTo(status);
    assertThat(result.response()).isEqualTo(answer);
    assertThat(transport.availableCapacity(100)).isEqualTo(100);
    assertThat(server.count("RSET")).isEqualTo(1);

    server.usual(step);
    assertThat(only(send())).isEqualTo(Status.ACCEPTED);
    assertThat(server.connections()).as("on the same connection").isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PIPELINING", "8BITMIME"})
  void oneOfThreeRecipientsIsRefusedAlone(String extension) {
    server.offer(extension);
    server.on("RCPT", line -> line.contains("bob") ? "550 5.1.1 unknown" : null);
    DeliveryResult.Answered result =
        (DeliveryResult.Answered) send("ada@example.com", "bob@example.com", "cyd@example.com");
    assertThat(result.recipients())
        .extracting(each -> each.recipient() + " " + each.status())
        .containsExactly(
            "ada@example.com ACCEPTED", "bob@example.com REFUSED", "cyd@example.com ACCEPTED");
    assertThat(server.only().recipients()).containsExactly("ada@example.com", "cyd@example.com");
    assertThat(server.count("RSET")).isEqualTo(1);
  }

  @Test
  void whoWasSettledBeforeTheRelaySlowedDownIsReported() {
    server.on("RCPT", line -> line.contains("bob") ? "451 4.3.0 slow down" : null);
    DeliveryResult.Postponed result =
        (DeliveryResult.Postponed) send("ada@example.com", "bob@example.com");
    assertThat(result.recipients())
        .extracting(each -> each.recipient() + " " + each.status())
        .containsExactly("ada@example.com ACCEPTED", "bob@example.com PENDING");
    assertThat(server.only().recipients()).containsExactly("ada@example.com");
  }

  @ParameterizedTest
  @ValueSource(strings = {"CONNECT", "EHLO", "MAIL", "RCPT", "DATA"})
  void aConnectionThatEndsBeforeTheMessageUsesNoAttempt(String step) {
    server.on(step, ScriptedServer.DROP);
    assertThat(send()).isInstanceOf(DeliveryResult.Postponed.class);
    assertThat(transport.availableCapacity(100)).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"CONNECT", "EHLO", "MAIL", "RCPT", "DATA"})
  void aRelayThatStallsIsLeftInTime(String step) {
    server.on(step, ScriptedServer.STALL);
    assertThat(send()).isInstanceOf(DeliveryResult.Postponed.class);
  }

  @Test
  void aRelayThatStopsReadingInTheMessageIsLeftInTime() {
    server.on("DATA", ScriptedServer.GO_AHEAD_AND_STALL);
    try (SmtpTransport hasty = hasty()) {
      DeliveryResult result = hasty.deliver(Mails.envelope("ada@example.com"), LARGE, () -> true);
      assertThat(only(result)).isEqualTo(Status.PENDING);
    }
  }

  @Test
  void aRelayWhoseAnswersAreAllJustInTimeIsLeftWhenTheDeliveryTakesTooLong() {
    String[] many = new String[40];
    Arrays.setAll(many, i -> "user" + i + "@example.com");
    server.offer("8BITMIME");
    server.on("RCPT", line -> afterAMoment());
    try (SmtpTransport hasty = hasty()) {
      assertThat(hasty.deliver(Mails.envelope(many), message, () -> true))
          .isInstanceOf(DeliveryResult.Postponed.class);
      assertThat(server.count("RCPT")).isBetween(1L, 20L);
    }
  }

  /** Gives a delivery a second in all, and each answer as long. */
  private SmtpTransport hasty() {
    Duration second = Duration.ofSeconds(1);
    return SmtpTransport.over(
        server.relay().timeouts(new SmtpRelay.Timeouts(second, second, second, second)));
  }

  private static @Nullable String afterAMoment() {
    await().pollDelay(Duration.ofMillis(200)).until(() -> true);
    return null;
  }

  @ParameterizedTest
  @ValueSource(strings = {ScriptedServer.DROP, ScriptedServer.STALL, "what?", "25", "354 more", ""})
  void whatFollowsTheFinalDotWithoutAnAnswerIsUnknown(String answer) {
    server.on("DOT", answer);
    assertThat(send()).isInstanceOf(DeliveryResult.Unknown.class);
    assertThat(transport.availableCapacity(100)).as("says nothing about the relay").isEqualTo(100);
  }

  @ParameterizedTest
  @ValueSource(strings = {"CONNECT", "MAIL", "RCPT", "DATA"})
  void aGarbledAnswerEndsTheConnectionAndNoAttempt(String step) {
    server.on(step, "nonsense");
    assertThat(send()).isInstanceOf(DeliveryResult.Postponed.class);
    assertThat(server.messages()).isEmpty();
  }

  @Test
  void answersOfSeveralLinesAreReadToTheirEnd() {
    server.on("CONNECT", "220-hello\r\n220-more\r\n220 done");
    server.on("MAIL", "250-2.1.0 a\r\n250-2.1.0 b\r\n250 2.1.0 c");
    server.on("RCPT", "550-5.1.1 no such\r\n550 5.1.1 user");
    DeliveryResult.Answered result = (DeliveryResult.Answered) send();
    assertThat(result.response()).isEqualTo("550-5.1.1 no such 550 5.1.1 user");
  }

  @Test
  void aMessageThatScaresTheRelayAwayUsesAnAttemptAndStopsNobodyElse() {
    server.on("DATA", ScriptedServer.GO_AHEAD_AND_DROP);
    DeliveryResult result = transport.deliver(Mails.envelope("ada@example.com"), LARGE, () -> true);
    assertThat(only(result)).isEqualTo(Status.PENDING);
    assertThat(transport.availableCapacity(10)).isEqualTo(10);
  }

  @Test
  void aStaleConnectionIsReplacedWithoutAWord() {
    assertThat(only(send())).isEqualTo(Status.ACCEPTED);
    server.down();
    server.up();
    assertThat(only(send())).isEqualTo(Status.ACCEPTED);
    assertThat(server.messages()).hasSize(2);
    assertThat(server.connections()).isEqualTo(2);
  }

  @Test
  void aRelayThatClosesAfterSomeMessagesLosesNone() {
    server.closeAfter(3);
    for (int i = 0; i < 10; i++) {
      assertThat(only(send())).isEqualTo(Status.ACCEPTED);
    }
    assertThat(server.messages()).hasSize(10);
    assertThat(server.connections()).isEqualTo(4);
  }

  @Test
  void aRelayThatSaysGoodByeBetweenTwoMessagesLosesNone() {
    assertThat(only(send())).isEqualTo(Status.ACCEPTED);
    server.once("MAIL", "421 4.4.2 idle too long");
    assertThat(only(send())).isEqualTo(Status.ACCEPTED);
    assertThat(transport.availableCapacity(10)).isEqualTo(10);
  }

  @Test
  void aRelayThatWasRefusedEveryRecipientAndStillWantsTheMessageGetsNone() {
    // With the usual patience: the connection is given up, and not asked in vain.
    SmtpTransport patient = SmtpTransport.over(server.relay());
    server.on("RCPT", "550 5.1.1 unknown").on("DATA", "354 go ahead");
    assertThat(only(send(patient))).isEqualTo(Status.REFUSED);
    server.usual("RCPT").usual("DATA");
    assertThat(only(send(patient))).isEqualTo(Status.ACCEPTED);
    assertThat(server.messages()).hasSize(1);
    assertThat(server.connections()).isEqualTo(2);
    patient.close();
  }

  @Test
  void aRelayThatRefusedTheSenderAndStillWantsTheMessageGetsNone() {
    // With the usual patience: the connection is given up, and not asked in vain.
    SmtpTransport patient = SmtpTransport.over(server.relay());
    server.on("MAIL", "552 5.3.4 too big").on("RCPT", "250 ok").on("DATA", "354 go ahead");
    assertThat(only(send(patient))).isEqualTo(Status.REFUSED);
    assertThat(server.messages()).isEmpty();
    server.usual("MAIL").usual("RCPT").usual("DATA");
    assertThat(only(send(patient))).isEqualTo(Status.ACCEPTED);
    assertThat(server.connections()).isEqualTo(2);
    patient.close();
  }

  @Test
  void commandsGoTogetherOnlyWhereTheRelayOffersIt() {
    server.offer("8BITMIME");
    assertThat(only(send("ada@example.com", "bob@example.com"))).isEqualTo(Status.ACCEPTED);
    assertThat(server.messages()).hasSize(1);
    assertThat(server.wasHurried()).isFalse();
  }

  @Test
  void manyRecipientsGoInGroups() {
    String[] many = new String[250];
    Arrays.setAll(many, i -> "user" + i + "@example.com");
    DeliveryResult.Answered result = (DeliveryResult.Answered) send(many);
    assertThat(result.recipients()).hasSize(250).allMatch(r -> r.status() == Status.ACCEPTED);
    assertThat(server.only().recipients()).hasSize(250);
  }

  @Test
  void aMessageLargerThanTheRelayTakesIsRefusedBeforehand() {
    server.offer("SIZE 100");
    DeliveryResult.Answered result = (DeliveryResult.Answered) send();
    assertThat(only(result)).isEqualTo(Status.REFUSED);
    assertThat(result.response()).contains("the relay takes 100");
    assertThat(server.count("MAIL")).isZero();
  }

  @Test
  void anInternationalMailboxNeedsARelayThatKnowsThem() {
    assertThat(only(send("jürgen@example.com"))).isEqualTo(Status.REFUSED);
    assertThat(server.count("MAIL")).isZero();
    transport.close();

    server.offer("PIPELINING", "8BITMIME", "SMTPUTF8");
    try (SmtpTransport other = SmtpTransport.over(server.relay())) {
      DeliveryResult result =
          other.deliver(Mails.envelope("jürgen@example.com"), message, () -> true);
      assertThat(only(result)).isEqualTo(Status.ACCEPTED);
    }
    assertThat(server.only().recipients()).containsExactly("jürgen@example.com");
    assertThat(server.commands()).contains("MAIL FROM:<shop@example.com> BODY=8BITMIME SMTPUTF8");
  }
}
