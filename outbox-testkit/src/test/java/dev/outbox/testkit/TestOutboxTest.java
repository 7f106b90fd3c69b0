package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.HistoryEntry;
import dev.outbox.email.State;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TestOutboxTest {

  private static final Map<String, Object> ORDER = Map.of("id", 42, "customer", "Ada & Co");

  @Test
  void anEmailIsRenderedWithTheHostsTemplatesAndFound() {
    TestOutbox mail = TestOutbox.create();

    mail.outbox().send("ada@example.com", "shop@example.com", "Order 42", "order-confirmed", ORDER);

    mail.assertSent()
        .to("Ada@example.com")
        .from("shop@example.com")
        .subject("Order 42")
        .textContains("Ada & Co")
        .htmlContains("Ada &amp; Co")
        .count(1);
  }

  @Test
  void aFailureListsWhatWasSent() {
    TestOutbox mail = TestOutbox.create();
    mail.outbox().send(Email.to("ada@example.com").subject("Hi").text("Hello there").build());

    assertThatThrownBy(() -> mail.assertSent().to("bob@example.com"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContainingAll("bob@example.com", "ada@example.com", "Hi", "Hello there");
  }

  @Test
  void aDeferredEmailIsSentAgainWhenItsTimeHasCome() {
    TestOutbox mail = TestOutbox.create();
    mail.transport().answerNext(RecordingTransport::defer);
    EmailId id =
        mail.outbox()
            .send(Email.to("ada@example.com").template("order-confirmed", ORDER).build())
            .id();

    mail.assertNothingSent();
    mail.advance(Duration.ofMinutes(1));
    mail.assertSent().subject("Order 42").count(1);

    assertThat(mail.outbox().history(id))
        .extracting(HistoryEntry::state)
        .containsExactly(
            State.ACCEPTED,
            State.INTAKING,
            State.PROCESSING,
            State.READY,
            State.PROCESSING,
            State.SENT);
  }
}
