package dev.outbox.internal.stage;

import dev.outbox.email.AddressesAndSubject;
import dev.outbox.email.Body;
import dev.outbox.email.EmailSummary;
import dev.outbox.internal.payload.Payload;
import dev.outbox.internal.payload.UnreadablePayloadException;
import dev.outbox.template.RenderedTemplate;
import dev.outbox.template.TemplateNotFoundException;
import dev.outbox.template.Templates;
import dev.outbox.transport.RenderedMessage;
import org.jspecify.annotations.Nullable;

/** Makes the message of an email from what was stored of it. */
public final class EmailRenderer {

  private final @Nullable Templates templates;

  public EmailRenderer(@Nullable Templates templates) {
    this.templates = templates;
  }

  /**
   * Renders an email.
   *
   * @throws dev.outbox.template.TemplateException if its data does not fit its template
   * @throws UnreadablePayloadException if it has no subject
   */
  public RenderedMessage message(
      EmailSummary email, AddressesAndSubject addressesAndSubject, Payload payload) {
    RenderedTemplate rendered = render(payload.body());
    String subject =
        addressesAndSubject.subject() == null ? rendered.subject() : addressesAndSubject.subject();
    if (subject == null) {
      throw new UnreadablePayloadException("it has no subject");
    }
    return new RenderedMessage(
        email.id(),
        email.timeline().created(),
        addressesAndSubject.from(),
        addressesAndSubject.recipients(),
        payload.replyTo(),
        subject,
        rendered.html(),
        rendered.text(),
        payload.attachments(),
        payload.headers());
  }

  private RenderedTemplate render(Body body) {
    if (body instanceof Body.Inline inline) {
      return new RenderedTemplate(null, inline.html(), inline.text());
    }
    Body.Templated templated = (Body.Templated) body;
    if (templates == null) {
      throw new TemplateNotFoundException(templated.template());
    }
    return templates.render(templated.template(), templated.locale(), templated.data());
  }
}
