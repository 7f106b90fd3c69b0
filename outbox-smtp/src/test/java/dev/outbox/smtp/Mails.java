package dev.outbox.smtp;

import dev.outbox.email.Address;
import dev.outbox.email.Attachment;
import dev.outbox.email.Body;
import dev.outbox.email.Email;
import dev.outbox.email.EmailBuilder;
import dev.outbox.email.EmailId;
import dev.outbox.email.Recipients;
import dev.outbox.transport.Envelope;
import dev.outbox.transport.RenderedMessage;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Messages and envelopes for tests. */
final class Mails {

  static final Instant DATE = Instant.parse("2026-03-01T10:15:30Z");
  static final EmailId ID = EmailId.parse("01890000-0000-7000-8000-000000000001");

  private Mails() {}

  static RenderedMessage simple() {
    return of(Email.to("ada@example.com").subject("Order 42").text("Thank you.\n"));
  }

  /** The message that an outbox would make of an email with words of its own. */
  static RenderedMessage of(EmailBuilder builder) {
    return of(builder.from("Shop <shop@example.com>").build());
  }

  static RenderedMessage of(Email email) {
    Body.Inline body = (Body.Inline) email.body();
    return new RenderedMessage(
        ID,
        DATE,
        Objects.requireNonNull(email.from()),
        email.recipients(),
        email.replyTo(),
        Objects.requireNonNull(email.subject()),
        body.html(),
        body.text(),
        email.attachments(),
        email.headers());
  }

  static RenderedMessage withSubject(String subject) {
    Address ada = Address.parse("ada@example.com");
    return new RenderedMessage(
        ID, DATE, ada, Recipients.of(ada), List.of(), subject, null, "x", List.of(), List.of());
  }

  static RenderedMessage withAttachments(Attachment... attachments) {
    EmailBuilder builder = Email.to("ada@example.com").subject("files").text("see");
    Stream.of(attachments).forEach(builder::attach);
    return of(builder);
  }

  static Envelope envelope(String... recipients) {
    return new Envelope(
        EmailId.next(),
        Address.parse("shop@example.com"),
        Stream.of(recipients).map(Address::parse).toList());
  }
}
