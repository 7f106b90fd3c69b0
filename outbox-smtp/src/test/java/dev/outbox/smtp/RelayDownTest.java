package dev.outbox.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.HistoryEntry;
import dev.outbox.email.State;
import dev.outbox.testkit.TestOutbox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A relay goes away and comes back, in moved time. */
class RelayDownTest {

  private final AtomicLong nanos = new AtomicLong();
  private final ScriptedServer server = ScriptedServer.start();
  private final SmtpTransport smtp = SmtpTransport.over(List.of(server.relay()), nanos::get);
  private final TestOutbox mail = TestOutbox.with(builder -> builder.transport(smtp));

  @AfterEach
  void close() {
    mail.close();
    server.close();
  }

  private void pass(Duration time) {
    mail.advance(time);
    nanos.addAndGet(time.toNanos());
    mail.process();
  }

  private static Email email(int number) {
    return Email.to("user" + number + "@example.com").subject("n" + number).text("x").build();
  }

  @Test
  void aThousandEmailsArriveOnceAfterAnOutageOfHoursAndNoneHasUsedAnAttemptUp() {
    List<EmailId> ids = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      ids.add(mail.outbox().send(email(i)).id());
    }
    pass(Duration.ZERO);
    assertThat(server.messages()).hasSize(100);

    server.down();
    for (int i = 100; i < 1_000; i++) {
      ids.add(mail.outbox().send(email(i)).id());
    }
    int before = server.connections();
    for (int minute = 1; minute <= 30; minute++) {
      pass(Duration.ofMinutes(minute < 10 ? 1 : 10));
    }
    assertThat(server.messages()).hasSize(100);
    assertThat(server.connections()).isEqualTo(before);
    assertThat(ids.subList(100, 1_000))
        .extracting(this::find)
        .allMatch(email -> email.progress().attempts() == 0)
        .allMatch(email -> !email.state().hasOutcome());

    server.up();
    for (int round = 0; round < 20; round++) {
      pass(Duration.ofSeconds(30));
    }
    assertThat(ids).extracting(id -> find(id).state()).containsOnly(State.SENT);
    Set<String> seen = new HashSet<>();
    assertThat(server.messages())
        .hasSize(1_000)
        .allMatch(message -> seen.add(message.recipients().get(0)));
  }

  @Test
  void aRelayThatRefusesUsForADayUsesUpNoEmail() {
    server.on("MAIL", "550 5.7.1 you are blocked");
    EmailId id = mail.outbox().send(email(1)).id();
    for (int hour = 0; hour < 24; hour++) {
      pass(Duration.ofHours(1));
    }
    assertThat(find(id).state()).isEqualTo(State.READY);
    assertThat(find(id).progress().attempts()).isZero();
    assertThat(server.count("MAIL")).as("asked now and then").isBetween(10L, 30L);

    server.usual("MAIL");
    pass(Duration.ofHours(1));
    assertThat(find(id).state()).isEqualTo(State.SENT);
  }

  @Test
  void theHistoryNamesTheRelayThatRests() {
    server.on("MAIL", "451 4.3.2 busy");
    EmailId first = mail.outbox().send(email(1)).id();
    EmailId second = mail.outbox().send(email(2)).id();
    pass(Duration.ZERO);

    String relay = "relay localhost:" + server.port();
    assertThat(List.of(lastReason(first), lastReason(second)))
        .containsExactlyInAnyOrder(
            relay + ": the relay answered 451 4.3.2 at MAIL", relay + ": circuit open");
  }

  @Test
  void aRetryOffersOnlyTheRecipientsThatAreOpen() {
    server.on(
        "RCPT",
        line ->
            line.contains("full")
                ? "452 4.2.2 mailbox full"
                : line.contains("gone") ? "550 5.1.1 unknown" : null);
    EmailId id =
        mail.outbox()
            .send(
                Email.to("ada@example.com", "full@example.com", "gone@example.com")
                    .subject("x")
                    .text("x")
                    .build())
            .id();
    pass(Duration.ZERO);
    assertThat(server.only().recipients()).containsExactly("ada@example.com");
    assertThat(find(id).progress().attempts()).isEqualTo(1);

    server.usual("RCPT");
    pass(Duration.ofMinutes(1));
    assertThat(server.messages()).hasSize(2);
    assertThat(server.messages().get(1).recipients()).containsExactly("full@example.com");
    assertThat(server.messages().get(1).wire()).isEqualTo(server.messages().get(0).wire());
    assertThat(find(id).state()).isEqualTo(State.FAILED);
    assertThat(find(id).recipients())
        .extracting(each -> each.recipient() + " " + each.status())
        .containsExactlyInAnyOrder(
            "ada@example.com ACCEPTED", "full@example.com ACCEPTED", "gone@example.com REFUSED");
  }

  @Test
  void whoWasAcceptedBeforeTheRelaySlowedDownIsNotOfferedAgain() {
    server.on("RCPT", line -> line.contains("bob") ? "451 4.3.0 slow down" : null);
    EmailId id =
        mail.outbox()
            .send(Email.to("ada@example.com", "bob@example.com").subject("x").text("x").build())
            .id();
    pass(Duration.ZERO);
    assertThat(find(id).progress().attempts()).isZero();

    server.usual("RCPT");
    pass(Duration.ofMinutes(1));
    assertThat(find(id).state()).isEqualTo(State.SENT);
    assertThat(server.messages())
        .extracting(ScriptedServer.Received::recipients)
        .containsExactly(List.of("ada@example.com"), List.of("bob@example.com"));
  }

  private String lastReason(EmailId id) {
    List<HistoryEntry> history = mail.outbox().history(id);
    return String.valueOf(history.get(history.size() - 1).reason());
  }

  private EmailSummary find(EmailId id) {
    return mail.outbox().find(id).orElseThrow().summary();
  }
}
