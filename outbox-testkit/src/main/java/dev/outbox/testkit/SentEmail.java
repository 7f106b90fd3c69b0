package dev.outbox.testkit;

import dev.outbox.email.Address;
import dev.outbox.transport.RenderedMessage;
import java.util.List;

/**
 * An email that a {@link RecordingTransport} took.
 *
 * @param message the email as it was rendered
 * @param recipients those to whom it went
 */
public record SentEmail(RenderedMessage message, List<Address> recipients) {

  /** Copies the list. */
  public SentEmail {
    recipients = List.copyOf(recipients);
  }
}
