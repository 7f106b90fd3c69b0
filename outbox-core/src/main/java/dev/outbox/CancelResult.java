package dev.outbox;

/** What became of a request to cancel an email. */
public enum CancelResult {
  /** It will not be sent. */
  CANCELLED,
  /** It is on the wire or settled already. */
  TOO_LATE,
  /** There is no such email. */
  NOT_FOUND
}
