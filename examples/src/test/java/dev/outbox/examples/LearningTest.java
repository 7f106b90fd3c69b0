package dev.outbox.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.email.Email;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.FailureCode;
import dev.outbox.email.IdempotencyConflictException;
import dev.outbox.email.Receipt;
import dev.outbox.email.State;
import dev.outbox.retry.RetryPolicy;
import dev.outbox.settings.UnknownOutcomePolicy;
import dev.outbox.template.Templates;
import dev.outbox.testkit.RecordingTransport;
import dev.outbox.testkit.TestOutbox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of the other pages in docs/learning. */
class LearningTest {

  /** What the template greeting prints. */
  record Greeting(String name) {}

  @Test
  void aTemplateHasLanguagesALayoutAndPartials(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("greeting.subject.mustache"), "Hello {{name}}");
    Files.writeString(folder.resolve("greeting.it.subject.mustache"), "Ciao {{name}}");
    Files.writeString(
        folder.resolve("greeting.html.mustache"),
        "{{<_layout}}{{$content}}<p>{{name}}</p>{{/content}}{{/_layout}}");
    Files.writeString(
        folder.resolve("_layout.html.mustache"),
        "<body>{{$content}}{{/content}}{{>_footer}}</body>");
    Files.writeString(folder.resolve("_footer.html.mustache"), "<p>Paper &amp; Ink</p>");
    TestOutbox mail = TestOutbox.with(outbox -> outbox.templates(Templates.directory(folder)));

    mail.outbox()
        .send(
            Email.to("ada@example.com")
                .template("greeting", new Greeting("Ada & Co"))
                .locale(Locale.ITALIAN)
                .build());

    mail.assertSent()
        .subject("Ciao Ada & Co")
        .htmlContains("<body><p>Ada &amp; Co</p><p>Paper &amp; Ink</p></body>");
  }

  @Test
  void aMissingVariableMakesTheEmailInvalidAndIsNamed() {
    TestOutbox mail = TestOutbox.create();
    Receipt receipt =
        mail.outbox()
            .send(Email.to("ada@example.com").template("order-confirmed", Map.of()).build());

    mail.process();
    assertThat(mail.outbox().history(receipt.id()))
        .anySatisfy(
            step -> {
              assertThat(step.state()).isEqualTo(State.INVALID);
              assertThat(step.reason()).contains("id");
            });
  }

  @Test
  void theSameKeyIsTheSameEmail() {
    TestOutbox mail = TestOutbox.create();
    Email email =
        Email.to("ada@example.com")
            .template("order-confirmed", Map.of("id", 42))
            .idempotencyKey("order-42-confirmed")
            .build();

    Receipt first = mail.outbox().send(email);
    Receipt again = mail.outbox().send(email);

    assertThat(again.id()).isEqualTo(first.id());
    assertThat(again.created()).isFalse();
    mail.assertSent().count(1);
    assertThatThrownBy(
            () ->
                mail.outbox()
                    .send(
                        Email.to("ada@example.com")
                            .template("order-confirmed", Map.of("id", 43))
                            .idempotencyKey("order-42-confirmed")
                            .build()))
        .isInstanceOf(IdempotencyConflictException.class);
  }

  @Test
  void retriesAreAScheduleAndTimeIsTheTests() {
    TestOutbox mail =
        TestOutbox.with(
            outbox ->
                outbox
                    .retries(RetryPolicy.schedule("1m,5m*2,1h*3")) // seven attempts
                    .expireAfter(Duration.ofHours(12))
                    .unknownOutcome(UnknownOutcomePolicy.HOLD));
    mail.transport().answer(RecordingTransport::defer);
    Receipt receipt =
        mail.outbox().send(Email.to("ada@example.com").subject("Hello").text("Ada").build());
    for (int minutes : new int[] {0, 1, 5, 5, 60, 60, 60}) {
      mail.advance(Duration.ofMinutes(minutes));
      mail.process();
    }

    assertThat(mail.outbox().find(receipt.id()).orElseThrow().summary().code())
        .isEqualTo(FailureCode.ATTEMPTS);

    mail.transport().answer(RecordingTransport::accept);
    mail.outbox().requeueAll(EmailQuery.all().codes(FailureCode.ATTEMPTS, FailureCode.REFUSED));
    mail.assertSent().to("ada@example.com").count(1);
  }
}
