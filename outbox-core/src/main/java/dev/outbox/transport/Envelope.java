package dev.outbox.transport;

import dev.outbox.email.Address;
import dev.outbox.email.EmailId;
import java.util.List;

/**
 * Who sends to whom in one delivery.
 *
 * @param id the email
 * @param from the sender
 * @param recipients those who have not accepted or refused yet; at least one
 */
public record Envelope(EmailId id, Address from, List<Address> recipients) {

  /** Copies the list and refuses a delivery to nobody. */
  public Envelope {
    recipients = List.copyOf(recipients);
    if (recipients.isEmpty()) {
      throw new IllegalArgumentException("recipients: none");
    }
  }

  /** Shows the id and how many recipients there are. */
  @Override
  public String toString() {
    return "Envelope[%s, recipients=%d]".formatted(id, recipients.size());
  }
}
