package dev.outbox.email;

import org.jspecify.annotations.Nullable;

/**
 * What a relay last said about one recipient.
 *
 * @param recipient the bare address, as in {@link Address#email()}
 * @param status whether it is done with
 * @param reply the relay's words, or null
 */
public record RecipientResult(String recipient, Status status, @Nullable String reply) {

  /** Whether a recipient is done with. */
  public enum Status {
    /** Still to be offered. */
    PENDING,
    /** The relay took the email for it. */
    ACCEPTED,
    /** The relay refused it for good. */
    REFUSED
  }

  /** Returns the same as it is after a requeue: what was refused is offered once more. */
  public RecipientResult reopened() {
    return status == Status.REFUSED ? new RecipientResult(recipient, Status.PENDING, reply) : this;
  }

  /** Shows the status only. */
  @Override
  public String toString() {
    return "RecipientResult[" + status + "]";
  }
}
