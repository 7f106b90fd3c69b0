package dev.outbox.internal;

import dev.outbox.email.Bytes;
import dev.outbox.email.Headline;
import dev.outbox.store.StoredContent;
import dev.outbox.store.StoredEmail;
import dev.outbox.template.TemplateException;
import dev.outbox.template.Templates;
import dev.outbox.transport.Message;
import dev.outbox.transport.MessagePreview;
import dev.outbox.transport.Transport;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Renders stored emails for people, without touching them. */
final class Previews {

  private final Rendering rendering;
  private final @Nullable Transport transport;

  Previews(@Nullable Templates templates, @Nullable Transport transport) {
    this.rendering = new Rendering(templates);
    this.transport = transport;
  }

  /** Shows an email; empty if its content is gone. What goes wrong is told in the preview. */
  Optional<MessagePreview> of(StoredEmail email) {
    StoredContent content = email.content();
    Headline headline = email.summary().headline();
    if (content == null || headline == null) {
      return Optional.empty();
    }
    try {
      Message message =
          rendering.message(email.summary(), headline, PayloadFormat.decode(content.payload()));
      return Optional.of(new MessagePreview(message, raw(content, message), null));
    } catch (TemplateException | NewerPayloadException | UnreadablePayloadException e) {
      return Optional.of(new MessagePreview(null, content.composed(), e.getMessage()));
    }
  }

  private @Nullable Bytes raw(StoredContent content, Message message) {
    if (content.composed() != null || transport == null) {
      return content.composed();
    }
    try {
      return transport.compose(message);
    } catch (RuntimeException e) {
      return null;
    }
  }
}
