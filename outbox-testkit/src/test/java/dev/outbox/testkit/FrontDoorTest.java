package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.outbox.Outbox;
import dev.outbox.email.Attachment;
import dev.outbox.email.Email;
import dev.outbox.email.EmailBuilder;
import dev.outbox.email.EmailLimits;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.email.Receipt;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FrontDoorTest {

  private static final URI OURS = URI.create("https://shop.example.com/told");
  private static final URI THEIRS = URI.create("https://host.example.com/told");

  private final TestOutbox mail = TestOutbox.with(Mails::templates);
  private final Outbox outbox = mail.outbox();

  @Test
  void anEmailWithoutSenderLeavesFromTheDefaultOne() {
    outbox.send(Mails.plain());
    outbox.send(Mails.to("ada@example.com").from("boss@example.com").build());

    mail.assertSent().from("test@example.com").count(1);
    mail.assertSent().from("boss@example.com").count(1);
  }

  @Test
  void withoutSenderAndWithoutDefaultAnEmailIsRefused() {
    Outbox bare = Outbox.builder(mail.store()).build();

    assertRefused(bare, Mails.plain(), "from");
  }

  @Test
  void anEmailMayLeaveForThreeDaysAfterItIsDueUnlessItSaysOtherwise() {
    EmailSummary plain = stored(Mails.plain());
    EmailSummary later =
        stored(Mails.to("ada@example.com").sendAt(mail.store().now().plusSeconds(60)).build());
    EmailSummary hurried =
        stored(Mails.to("ada@example.com").expireAfter(Duration.ofMinutes(5)).build());

    assertThat(plain.deadline()).isEqualTo(mail.store().now().plus(Duration.ofDays(3)));
    assertThat(later.deadline())
        .isEqualTo(mail.store().now().plusSeconds(60).plus(Duration.ofDays(3)));
    assertThat(hurried.deadline()).isEqualTo(mail.store().now().plus(Duration.ofMinutes(5)));
  }

  @Test
  void theOutboxsCallbackUrlIsForEmailsThatNameNone() {
    Outbox telling =
        Outbox.builder(mail.store()).defaultFrom("a@example.com").callbackUrl(OURS).build();

    Receipt plain = telling.send(Mails.plain());
    Receipt own = telling.send(Mails.to("ada@example.com").callbackUrl(THEIRS).build());

    assertThat(Mails.summary(mail, plain.id()).callbackUrl()).isEqualTo(OURS);
    assertThat(Mails.summary(mail, own.id()).callbackUrl()).isEqualTo(THEIRS);
    assertThat(stored(Mails.plain()).callbackUrl()).isNull();
  }

  @Test
  void whatQueriesNeedIsStoredOutsideThePayload() {
    EmailSummary stored =
        stored(
            Email.to("ada@example.com")
                .cc("bob@example.com")
                .template("welcome", Mails.WELCOME)
                .tag("onboarding")
                .requestId("request-7")
                .build());

    assertThat(stored.template()).isEqualTo("welcome");
    assertThat(stored.tags()).containsExactly("onboarding");
    assertThat(stored.requestId()).isEqualTo("request-7");
    assertThat(Objects.requireNonNull(stored.addressesAndSubject()).recipients().all()).hasSize(2);
  }

  @Test
  void anUnknownTemplateIsRefusedByName() {
    Email email = Email.to("ada@example.com").template("order-lost", Mails.WELCOME).build();

    assertThat(assertRefused(outbox, email, "template")).contains("order-lost");
    assertThat(assertRefused(outbox, email, "template"))
        .endsWith("; known are bare, farewell, welcome");
  }

  @Test
  void aSubjectGivenAsTemplateNameIsNotShown() {
    Email email = Email.to("ada@example.com").template("a secret for Ada", Mails.WELCOME).build();

    assertRefused(outbox, email, "template");
  }

  @Test
  void anOutboxWithoutTemplatesRefusesThemAll() {
    Outbox bare = Outbox.builder(mail.store()).defaultFrom("a@example.com").build();

    assertRefused(
        bare, Email.to("ada@example.com").template("welcome", Mails.WELCOME).build(), "template");
  }

  @Test
  void aTemplateWithoutSubjectNeedsOneFromTheCaller() {
    EmailBuilder email = Email.to("ada@example.com").template("bare", Map.of("name", "secret"));

    assertRefused(outbox, email.build(), "subject");
    outbox.send(email.subject("Subject of Ada").build());
    mail.assertSent().subject("Subject of Ada").count(1);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tooLarge")
  void whatIsTooLargeIsRefusedByField(String field, UnaryOperator<EmailBuilder> change) {
    Outbox small =
        Mails.templates(Outbox.builder(mail.store()))
            .defaultFrom("a@example.com")
            .limits(new EmailLimits(2, 10, 20, 30, Duration.ofHours(1)))
            .build();

    assertRefused(small, change.apply(Email.to("ada@example.com")).build(), field);
  }

  static Stream<Arguments> tooLarge() {
    return Stream.of(
        refusal("recipients", email -> email.cc("b@example.com", "c@example.com")),
        refusal(
            "replyTo", email -> email.replyTo("b@example.com", "c@example.com", "d@example.com")),
        refusal(
            "attachments", email -> email.attach(Attachment.of("a.txt", "text/a", new byte[11]))),
        refusal("body", email -> email.html("secret ".repeat(5))),
        refusal("expireAfter", email -> email.expireAfter(Duration.ofHours(2))),
        refusal("subject", email -> email.subject("secret ".repeat(100))),
        Arguments.of(
            "data",
            (UnaryOperator<EmailBuilder>)
                email -> email.template("welcome", Map.of("name", "secret ".repeat(9)))));
  }

  private static Arguments refusal(String field, UnaryOperator<EmailBuilder> change) {
    UnaryOperator<EmailBuilder> inline = email -> change.apply(email.subject("s").text("t"));
    return Arguments.of(field, inline);
  }

  @Test
  void nothingIsStoredWhenOneOfManyIsInvalid() {
    Email wrong = Email.to("ada@example.com").template("order-lost", Mails.WELCOME).build();

    assertThatThrownBy(() -> outbox.sendAll(List.of(Mails.plain(), wrong, Mails.plain())))
        .isInstanceOf(InvalidEmailException.class);

    assertNothingStored();
  }

  @Test
  void receiptsComeInTheOrderOfTheEmails() {
    List<Email> emails = Mails.many(700);

    List<Receipt> receipts = outbox.sendAll(emails);

    assertThat(receipts).hasSize(700).allMatch(Receipt::created);
    for (int i = 0; i < emails.size(); i++) {
      assertThat(
              Objects.requireNonNull(
                      Mails.summary(mail, receipts.get(i).id()).addressesAndSubject())
                  .recipients()
                  .to())
          .isEqualTo(emails.get(i).recipients().to());
    }
  }

  @Test
  void sendingNothingIsFine() {
    assertThat(outbox.sendAll(List.of())).isEmpty();
  }

  @Test
  void anEmailHeldBackLeavesAtItsTime() {
    outbox.send(
        Mails.to("ada@example.com")
            .sendAt(mail.store().now().plus(Duration.ofHours(1)))
            .expireAfter(Duration.ofMinutes(1))
            .build());

    mail.advance(Duration.ofMinutes(59));
    mail.assertNothingSent();
    mail.advance(Duration.ofMinutes(1));
    mail.assertSent().count(1);
  }

  private EmailSummary stored(Email email) {
    return Mails.summary(mail, outbox.send(email).id());
  }

  private String assertRefused(Outbox door, Email email, String field) {
    InvalidEmailException refusal =
        catchThrowableOfType(InvalidEmailException.class, () -> door.send(email));
    assertThat(refusal).as("refusal of %s", field).isNotNull();
    assertThat(refusal.field()).isEqualTo(field);
    String text = Objects.requireNonNull(refusal.getMessage());
    assertThat(text).startsWith(field).doesNotContain(Mails.PERSONAL);
    assertNothingStored();
    return text;
  }

  private void assertNothingStored() {
    assertThat(outbox.query(EmailQuery.all(), null, 10).emails()).isEmpty();
  }
}
