package dev.outbox.store;

import dev.outbox.email.EmailId;

/**
 * What became of one email that was to be stored.
 *
 * @param id the stored email: the new one, or the first one with the same idempotency key
 * @param status whether it is the new one
 */
public record InsertResult(EmailId id, Status status) {

  /** What became of an email that was to be stored. */
  public enum Status {
    /** It is stored, now or by an earlier try of this same call. */
    CREATED,
    /** The key is known, and so is the content: nothing was stored. */
    EXISTING,
    /** The key is known with other content: nothing was stored. */
    CONFLICT
  }
}
