package dev.outbox.internal.payload;

import dev.outbox.email.Address;
import dev.outbox.email.Attachment;
import dev.outbox.email.Body;
import dev.outbox.email.Email;
import dev.outbox.email.EmailContent;
import dev.outbox.email.EmailDetails;
import dev.outbox.email.Header;
import dev.outbox.email.State;
import dev.outbox.store.StoredContent;
import dev.outbox.store.StoredEmail;
import java.util.List;

/**
 * The part of an email that a store keeps without reading it.
 *
 * @param replyTo where answers go
 * @param body what it says
 * @param attachments the files that go with it
 * @param headers the host's own headers
 */
public record Payload(
    List<Address> replyTo, Body body, List<Attachment> attachments, List<Header> headers) {

  /** Returns the payload of an email. */
  public static Payload of(Email email) {
    return new Payload(email.replyTo(), email.body(), email.attachments(), email.headers());
  }

  /** Reads a stored email for people; content that cannot be read is a problem and not an error. */
  public static EmailDetails details(StoredEmail email) {
    StoredContent stored = email.content();
    if (stored == null) {
      // What was not sent keeps its content, and erasing takes the headline along.
      boolean dropped = email.summary().erased() || email.summary().state().outcome() == State.SENT;
      return new EmailDetails(
          email.summary(), null, dropped ? null : "its content cannot be seen from here");
    }
    try {
      Payload read = PayloadCodec.decode(stored.payload());
      return new EmailDetails(
          email.summary(),
          new EmailContent(
              read.replyTo, read.body, read.attachments, read.headers, stored.composed()),
          null);
    } catch (NewerPayloadException | UnreadablePayloadException e) {
      return new EmailDetails(email.summary(), null, e.getMessage());
    }
  }
}
