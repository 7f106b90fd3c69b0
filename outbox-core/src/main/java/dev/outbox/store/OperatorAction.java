package dev.outbox.store;

/** What people can do to an email by hand. {@link dev.outbox.email.State} says when it works. */
public enum OperatorAction {
  /** Gives up an email that is not on the wire yet. */
  CANCEL,
  /** Sends a failed or invalid email once more, in a new generation. */
  REQUEUE,
  /** Takes the personal data away and keeps the idempotency key; cancels first what waits. */
  ERASE
}
