package dev.outbox.store;

import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import org.jspecify.annotations.Nullable;

/**
 * What became of a move by hand.
 *
 * @param id the email
 * @param status whether it was made
 * @param state where the email is now; null if there is no such email
 */
public record ActionResult(EmailId id, Status status, @Nullable State state) {

  /** Whether a move was made. */
  public enum Status {
    /** It was made, or had been before. */
    DONE,
    /** The email's state does not allow it, or its content is gone. */
    REFUSED,
    /** There is no such email. */
    NOT_FOUND
  }
}
