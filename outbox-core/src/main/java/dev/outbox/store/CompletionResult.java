package dev.outbox.store;

/** What became of a completion. */
public enum CompletionResult {
  /** It is recorded, now or by an earlier try of this same call. */
  APPLIED,
  /** The claim no longer stood, and nothing was changed. */
  LOST,
  /**
   * The relay took the email under a claim that no longer stood, so that somebody else may have
   * sent it too. The history says so.
   */
  POSSIBLE_DUPLICATE
}
