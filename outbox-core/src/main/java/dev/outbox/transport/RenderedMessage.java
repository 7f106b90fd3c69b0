package dev.outbox.transport;

import dev.outbox.email.Address;
import dev.outbox.email.Attachment;
import dev.outbox.email.EmailId;
import dev.outbox.email.Header;
import dev.outbox.email.Recipients;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rendered email, before it is put into the form in which it is sent.
 *
 * @param id the email, from which the Message-ID is made
 * @param date when it was stored, which is its Date
 * @param from the sender
 * @param recipients everybody; who is in bcc must not show in the message
 * @param replyTo where answers go; empty for the sender
 * @param subject a single line
 * @param html the html body, or null
 * @param text the plain body, or null; at least one of the two is there
 * @param attachments the files that go with it
 * @param headers the host's own headers
 */
public record RenderedMessage(
    EmailId id,
    Instant date,
    Address from,
    Recipients recipients,
    List<Address> replyTo,
    String subject,
    @Nullable String html,
    @Nullable String text,
    List<Attachment> attachments,
    List<Header> headers) {

  /** Copies the lists. */
  public RenderedMessage {
    replyTo = List.copyOf(replyTo);
    attachments = List.copyOf(attachments);
    headers = List.copyOf(headers);
  }

  /** Shows the id only. */
  @Override
  public String toString() {
    return "Message[" + id + "]";
  }
}
