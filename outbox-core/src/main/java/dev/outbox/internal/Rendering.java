package dev.outbox.internal;

import dev.outbox.email.Body;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.Headline;
import dev.outbox.template.Rendered;
import dev.outbox.template.TemplateNotFoundException;
import dev.outbox.template.Templates;
import dev.outbox.transport.Message;
import org.jspecify.annotations.Nullable;

/** Makes the message of an email from what was stored of it. */
final class Rendering {

  private final @Nullable Templates templates;

  Rendering(@Nullable Templates templates) {
    this.templates = templates;
  }

  /**
   * Renders an email.
   *
   * @throws dev.outbox.template.TemplateException if its data does not fit its template
   * @throws UnreadablePayloadException if it has no subject
   */
  Message message(EmailSummary email, Headline headline, Payload payload) {
    Rendered rendered = render(payload.body());
    String subject = headline.subject() == null ? rendered.subject() : headline.subject();
    if (subject == null) {
      throw new UnreadablePayloadException("it has no subject");
    }
    return new Message(
        email.id(),
        email.timeline().created(),
        headline.from(),
        headline.recipients(),
        payload.replyTo(),
        subject,
        rendered.html(),
        rendered.text(),
        payload.attachments(),
        payload.headers());
  }

  private Rendered render(Body body) {
    if (body instanceof Body.Inline inline) {
      return new Rendered(null, inline.html(), inline.text());
    }
    Body.Templated templated = (Body.Templated) body;
    if (templates == null) {
      throw new TemplateNotFoundException(templated.template());
    }
    return templates.render(templated.template(), templated.locale(), templated.data());
  }
}
