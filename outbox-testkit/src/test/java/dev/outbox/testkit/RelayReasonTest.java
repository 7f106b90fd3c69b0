package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.email.EmailId;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.RecipientResult.Status;
import dev.outbox.store.Completion;
import dev.outbox.testsupport.LogLines;
import dev.outbox.transport.DeliveryResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is stored of a relay's answer. */
class RelayReasonTest {

  private static final String ADA = "ada@example.com";
  private static final String BOB = "bob@example.com";
  private static final String CY = "cy@example.com";

  private final WireTap wire = new WireTap();
  private final TestOutbox mail = TestOutbox.with(builder -> builder.transport(wire));

  @Test
  void theReasonOfAFailureQuotesTheFirstRefusal() {
    wire.answer(Mails.each(Map.of(BOB, Status.REFUSED, CY, Status.REFUSED)));
    EmailId id = send(ADA, BOB, CY);

    mail.process();

    assertThat(Mails.summary(mail, id).reason())
        .isEqualTo("a recipient was refused: reply about mailbox " + BOB);
  }

  @Test
  void theReasonQuotesAtMost500CharactersOfTheReply() {
    wire.answer(
        envelope ->
            new DeliveryResult.Answered(
                List.of(new RecipientResult(ADA, Status.REFUSED, "550 " + "x".repeat(3_000))),
                null));
    EmailId id = send(ADA);

    mail.process();

    assertThat(Mails.summary(mail, id).reason())
        .isEqualTo("a recipient was refused: 550 " + "x".repeat(495) + "\u2026");
  }

  @Test
  void noLogLineShowsAReasonThatQuotesARelay() {
    try (LogLines log = new LogLines()) {
      wire.answer(Mails.each(Map.of(BOB, Status.REFUSED)));
      send(ADA, BOB);
      mail.process();
      wire.answer(Mails.each(Map.of(ADA, Status.PENDING)));
      send(ADA);

      mail.process();

      assertThat(log.all()).isNotEmpty().noneMatch(line -> line.contains("mailbox"));
    }
  }

  @Test
  void aPostponementDoesNotStoreTheMessageAgain() {
    List<Completion> recorded = new ArrayList<>();
    InMemoryStore store = new InMemoryStore();
    Faults faults = new Faults(store);
    faults.after("complete", all -> all.forEach(each -> recorded.add((Completion) each)));
    wire.answer(envelope -> new DeliveryResult.Postponed(Duration.ofMinutes(1), "slow down", null));
    Outbox slow = Outbox.builder(faults.seen()).transport(wire).defaultFrom(ADA).build();
    slow.send(Mails.plain());
    slow.processDue();
    store.advance(Duration.ofMinutes(2));
    slow.processDue();

    assertThat(recorded)
        .extracting(completion -> completion.composed() != null)
        .containsExactly(true, false);
  }

  private EmailId send(String... to) {
    return mail.outbox().send(Mails.to(to).build()).id();
  }
}
