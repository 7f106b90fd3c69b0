package dev.outbox.email;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a stored email says, as the host gave it; sender, recipients and subject are in its {@link
 * AddressesAndSubject}.
 *
 * @param replyTo where answers go; empty for the sender
 * @param body a template with its data, or the words themselves
 * @param attachments the files that go with it
 * @param headers the host's own headers
 * @param composed the message as it goes over the wire; null if that is not stored
 */
public record EmailContent(
    List<Address> replyTo,
    Body body,
    List<Attachment> attachments,
    List<Header> headers,
    @Nullable Bytes composed) {

  /** Copies the lists. */
  public EmailContent {
    replyTo = List.copyOf(replyTo);
    attachments = List.copyOf(attachments);
    headers = List.copyOf(headers);
  }

  /** Shows sizes and the template, nothing personal. */
  @Override
  public String toString() {
    return "EmailContent[%s, attachments=%d]".formatted(body, attachments.size());
  }
}
