package dev.outbox.email;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EmailBuilderTest {

  private static final Address ADA = Address.parse("Ada <ada@example.com>");

  @Test
  void everyFieldGivenIsInTheEmail() {
    Attachment invoice = Attachment.of("invoice.pdf", "application/pdf", new byte[] {1, 2});
    Instant noon = Instant.parse("2026-05-01T12:00:00Z");

    Email email =
        Email.to("Ada <ada@example.com>", "b@example.com")
            .to("c@example.com")
            .cc("d@example.com")
            .bcc("e@example.com", "f@example.com")
            .replyTo("g@example.com")
            .from("Shop <shop@example.com>")
            .subject("Order 42")
            .template("order-confirmed", Map.of("id", 42))
            .locale(Locale.ITALIAN)
            .attach(invoice)
            .header("X-Campaign", "spring")
            .header("X-Campaign", "summer")
            .idempotencyKey("order-42")
            .requestId("r-1")
            .tag("orders")
            .tag("paid")
            .callbackUrl(URI.create("https://shop.example.com/mail"))
            .sendAt(noon)
            .expireAfter(Duration.ofHours(6))
            .priority(Priority.HIGH)
            .build();

    assertThat(email)
        .isEqualTo(
            new Email(
                Address.parse("Shop <shop@example.com>"),
                new Recipients(
                    List.of(ADA, Address.parse("b@example.com"), Address.parse("c@example.com")),
                    List.of(Address.parse("d@example.com")),
                    List.of(Address.parse("e@example.com"), Address.parse("f@example.com"))),
                List.of(Address.parse("g@example.com")),
                "Order 42",
                new Body.Templated(
                    "order-confirmed", TemplateData.of(Map.of("id", 42)), Locale.ITALIAN),
                List.of(invoice),
                List.of(new Header("X-Campaign", "spring"), new Header("X-Campaign", "summer")),
                new SendOptions(
                    "order-42",
                    "r-1",
                    Set.of("orders", "paid"),
                    URI.create("https://shop.example.com/mail"),
                    noon,
                    Duration.ofHours(6),
                    Priority.HIGH)));
  }

  @Test
  void whatIsNotGivenIsAbsentAndThePriorityNormal() {
    Email email = Email.to("ada@example.com").template("welcome").build();

    assertThat(email.from()).isNull();
    assertThat(email.subject()).isNull();
    assertThat(email.replyTo()).isEmpty();
    assertThat(email.attachments()).isEmpty();
    assertThat(email.headers()).isEmpty();
    assertThat(email.body()).isEqualTo(new Body.Templated("welcome", TemplateData.empty(), null));
    assertThat(email.options())
        .isEqualTo(new SendOptions(null, null, Set.of(), null, null, null, Priority.NORMAL));
  }

  @Test
  void aBodyCanBeGivenWordForWord() {
    Email email =
        Email.to("ada@example.com").subject("Hi").html("<p>a\r\nb</p>").text("a\r\nb").build();

    assertThat(email.body()).isEqualTo(new Body.Inline("<p>a\r\nb</p>", "a\r\nb"));
  }

  @Test
  void anEmailForNobodyIsRefused() {
    assertThatThrownBy(() -> Email.to().subject("Hi").text("a").build())
        .isInstanceOf(InvalidEmailException.class)
        .hasMessageStartingWith("to: ");
  }

  @Test
  void aBlindCopyAloneIsEnough() {
    assertThat(Email.to().bcc("ada@example.com").subject("Hi").text("a").build().recipients().bcc())
        .hasSize(1);
  }

  @Test
  void anEmailThatSaysNothingIsRefused() {
    assertThatThrownBy(() -> Email.to("ada@example.com").subject("Hi").build())
        .isInstanceOf(InvalidEmailException.class)
        .hasMessageStartingWith("body: ");
  }

  @Test
  void aTemplateExcludesWordsGivenInline() {
    assertThatThrownBy(() -> Email.to("ada@example.com").template("t").text("a").build())
        .isInstanceOf(InvalidEmailException.class)
        .hasMessageStartingWith("template: ");
    assertThatThrownBy(() -> Email.to("ada@example.com").template("t").html("a").build())
        .isInstanceOf(InvalidEmailException.class)
        .hasMessageStartingWith("template: ");
  }

  @Test
  void wordsGivenInlineNeedASubject() {
    assertThatThrownBy(() -> Email.to("ada@example.com").text("a").build())
        .isInstanceOf(InvalidEmailException.class)
        .hasMessageStartingWith("subject: ");
  }

  @Test
  void theRefusalOfAnAddressSaysWhichOneItWas() {
    assertThatThrownBy(() -> Email.to("ada@example.com").cc("b@example.com", "c@example.com", "?"))
        .isInstanceOf(InvalidEmailException.class)
        .hasMessageStartingWith("cc[2]: ");
  }

  @Test
  @SuppressWarnings("NullAway") // what a host without null checks might do
  void aNullIsRefusedWhereItIsGiven() {
    EmailBuilder builder = Email.to("ada@example.com");
    assertThatThrownBy(() -> builder.to((String) null)).hasMessage("to[1]: is null");
    assertThatThrownBy(() -> builder.subject(null)).hasMessage("subject: is null");
    assertThatThrownBy(() -> builder.tag(null)).hasMessage("tags: is null");
    assertThatNullPointerException().isThrownBy(() -> builder.attach(null));
    assertThatNullPointerException().isThrownBy(() -> builder.priority(null));
  }

  @Test
  void anEmailBuiltDoesNotChangeWithItsBuilder() {
    EmailBuilder builder = Email.to("ada@example.com").subject("Hi").text("a");
    Email before = builder.build();

    builder.to("b@example.com").tag("t").header("X-A", "b").replyTo("c@example.com");
    builder.attach(Attachment.of("a.txt", "text/plain", new byte[0]));

    assertThat(before.recipients().to()).hasSize(1);
    assertThat(before.options().tags()).isEmpty();
    assertThat(before.headers()).isEmpty();
    assertThat(before.replyTo()).isEmpty();
    assertThat(before.attachments()).isEmpty();
  }

  @Test
  void oneClickUnsubscribeIsTwoHeaders() {
    Email email =
        Email.to("ada@example.com")
            .subject("x")
            .text("x")
            .oneClickUnsubscribe(URI.create("https://shop.example/u?id=4"))
            .build();
    assertThat(email.headers())
        .containsExactly(
            new Header("List-Unsubscribe", "<https://shop.example/u?id=4>"),
            new Header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"));
  }

  @Test
  void aBadUnsubscribeUrlIsRefused() {
    for (String url :
        List.of(
            "http://shop.example/u",
            "mailto:u@shop.example",
            "https:u",
            "https://shop.example/" + "u".repeat(800),
            "https://shop.example/\ud800")) {
      EmailBuilder builder = Email.to("ada@example.com");
      assertThatThrownBy(() -> builder.oneClickUnsubscribe(URI.create(url)))
          .isInstanceOf(InvalidEmailException.class)
          .hasMessageContaining("oneClickUnsubscribe");
    }
  }

  @Test
  void twoWaysToUnsubscribeAreRefused() {
    EmailBuilder builder =
        Email.to("ada@example.com")
            .subject("x")
            .text("x")
            .oneClickUnsubscribe(URI.create("https://shop.example/u"))
            .header("list-unsubscribe", "<https://other.example/>");
    assertThatThrownBy(builder::build)
        .isInstanceOf(InvalidEmailException.class)
        .hasMessageContaining("List-Unsubscribe");
  }
}
