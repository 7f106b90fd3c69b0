package dev.outbox.verification.chaos;

/** What a line of a {@link Journal} says; words that follow are separated by blanks. */
enum JournalVerb {
  /** A request is about to be made: its name. */
  ASKING,
  /** A request was accepted: its name, the email, whether it is new, the key or {@code -}. */
  ACCEPTED,
  /** A request was made in a transaction that was rolled back: its name, the email. */
  ROLLED_BACK,
  /** A request is about to be made whose email has a text that is too long: its name, the kind. */
  POISON,
  /** A request was rejected: its name, the kind, the field that the error names. */
  REJECTED,
  /** An email is about to be cancelled. */
  CANCELLING,
  /** An email was cancelled in time. */
  CANCELLED,
  /** An email is about to be requeued. */
  REQUEUEING,
  /** An email was requeued. */
  REQUEUED,
  /** An email is about to be erased. */
  ERASING,
  /** An email was erased. */
  ERASED,
  /** A key was taken by another payload, and the store said nothing of it: the key. */
  UNNOTICED_CONFLICT
}
