package dev.outbox.settings;

/** What happens to an email whose worker died when the relay may already have taken it. */
public enum UnknownOutcomePolicy {
  /** It is sent again: at least once. */
  RESEND,
  /** It is failed as {@code OUTCOME_UNKNOWN} and waits for an operator: at most once. */
  HOLD
}
