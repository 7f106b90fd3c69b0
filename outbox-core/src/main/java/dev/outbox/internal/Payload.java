package dev.outbox.internal;

import dev.outbox.email.Address;
import dev.outbox.email.Attachment;
import dev.outbox.email.Body;
import dev.outbox.email.Email;
import dev.outbox.email.Header;
import java.util.List;

/**
 * The part of an email that a store keeps without reading it.
 *
 * @param replyTo where answers go
 * @param body what it says
 * @param attachments the files that go with it
 * @param headers the host's own headers
 */
record Payload(
    List<Address> replyTo, Body body, List<Attachment> attachments, List<Header> headers) {

  static Payload of(Email email) {
    return new Payload(email.replyTo(), email.body(), email.attachments(), email.headers());
  }
}
