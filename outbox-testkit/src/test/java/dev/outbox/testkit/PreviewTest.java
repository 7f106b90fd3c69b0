package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.transport.MessagePreview;
import dev.outbox.transport.RenderedMessage;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What people see of an email before, or instead of, its receivers. */
class PreviewTest {

  private final TestOutbox mail = TestOutbox.with(Mails::templates);
  private final Outbox outbox = mail.outbox();

  @Test
  void aWaitingEmailIsRenderedAndComposedAndStaysAsItIs() {
    EmailId id = outbox.send(welcome(Mails.WELCOME)).id();

    MessagePreview preview = outbox.preview(id).orElseThrow();

    RenderedMessage message = Objects.requireNonNull(preview.message());
    assertThat(message.text()).contains("Ada");
    assertThat(Objects.requireNonNull(preview.raw()).toUtf8()).contains(message.subject());
    assertThat(preview.problem()).isNull();
    assertThat(preview.toString()).doesNotContain("Ada", "example");
    assertThat(outbox.history(id)).hasSize(1);
    assertThat(mail.transport().sent()).isEmpty();
  }

  @Test
  void theBytesOfTheFirstAttemptAreShownAgain() {
    mail.transport().answer(RecordingTransport::refuse);
    EmailId id = outbox.send(Mails.plain()).id();
    mail.process();

    assertThat(outbox.preview(id).orElseThrow().raw())
        .isEqualTo(Objects.requireNonNull(outbox.find(id).orElseThrow().content()).composed())
        .isNotNull();
  }

  @Test
  void whatCannotBeRenderedSaysWhy() {
    EmailId id = outbox.send(welcome(Map.of("code", 42))).id();

    MessagePreview preview = outbox.preview(id).orElseThrow();

    assertThat(preview.message()).isNull();
    assertThat(preview.problem()).contains("name");
  }

  @Test
  void withoutATransportThereIsNoWireForm() {
    Outbox storing =
        Mails.templates(Outbox.builder(mail.store())).defaultFrom("a@example.com").build();
    EmailId id = storing.send(welcome(Mails.WELCOME)).id();

    MessagePreview preview = storing.preview(id).orElseThrow();

    assertThat(preview.message()).isNotNull();
    assertThat(preview.raw()).isNull();
  }

  @Test
  void contentThatIsGoneHasNoPreview() {
    EmailId id = outbox.send(Mails.plain()).id();
    mail.process();

    assertThat(outbox.preview(id)).isEmpty();
    assertThat(outbox.preview(EmailId.next())).isEmpty();
  }

  private static Email welcome(Object data) {
    return Email.to("ada@example.com").template("welcome", data).build();
  }
}
