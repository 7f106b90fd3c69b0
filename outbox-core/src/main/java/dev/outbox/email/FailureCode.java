package dev.outbox.email;

/** Why an email was given up. */
public enum FailureCode {
  /** The relay refused at least one recipient, or the message, for good. */
  REFUSED,
  /** Every attempt was used up by passing trouble. */
  ATTEMPTS,
  /** It could not leave before its maximum age. */
  EXPIRED,
  /** Somebody cancelled it in time. */
  CANCELLED,
  /** The relay may or may not have taken it, and the policy is to hold such mail. */
  OUTCOME_UNKNOWN,
  /** Its workers died again and again while they held it. */
  WORKER_DIED;

  /**
   * Returns whether requeueing everything that failed takes such emails along. Those that somebody
   * stopped, that are out of date or that may have arrived are requeued only when named.
   */
  public boolean isRequeuedUnnamed() {
    return switch (this) {
      case REFUSED, ATTEMPTS, WORKER_DIED -> true;
      case EXPIRED, CANCELLED, OUTCOME_UNKNOWN -> false;
    };
  }
}
