package dev.outbox.internal.read;

import dev.outbox.email.AddressesAndSubject;
import dev.outbox.email.Bytes;
import dev.outbox.internal.payload.NewerPayloadException;
import dev.outbox.internal.payload.PayloadCodec;
import dev.outbox.internal.payload.UnreadablePayloadException;
import dev.outbox.internal.stage.EmailRenderer;
import dev.outbox.store.StoredContent;
import dev.outbox.store.StoredEmail;
import dev.outbox.template.TemplateException;
import dev.outbox.template.Templates;
import dev.outbox.transport.MessagePreview;
import dev.outbox.transport.RenderedMessage;
import dev.outbox.transport.Transport;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Renders stored emails for people, without touching them. */
public final class EmailPreviewer {

  private final EmailRenderer rendering;
  private final @Nullable Transport transport;

  public EmailPreviewer(@Nullable Templates templates, @Nullable Transport transport) {
    this.rendering = new EmailRenderer(templates);
    this.transport = transport;
  }

  /** Shows an email; empty if its content is gone. What goes wrong is told in the preview. */
  public Optional<MessagePreview> of(StoredEmail email) {
    StoredContent content = email.content();
    AddressesAndSubject addressesAndSubject = email.summary().addressesAndSubject();
    if (content == null || addressesAndSubject == null) {
      return Optional.empty();
    }
    try {
      RenderedMessage message =
          rendering.message(
              email.summary(), addressesAndSubject, PayloadCodec.decode(content.payload()));
      return Optional.of(new MessagePreview(message, raw(content, message), null));
    } catch (TemplateException | NewerPayloadException | UnreadablePayloadException e) {
      return Optional.of(new MessagePreview(null, content.composed(), e.getMessage()));
    }
  }

  private @Nullable Bytes raw(StoredContent content, RenderedMessage message) {
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
