package dev.outbox.email;

/** How soon an email wants to leave when others wait too. None of them waits for ever. */
public enum Priority {
  /** Somebody waits for it now: a one-time code, a password reset. */
  HIGH,
  /** The default. */
  NORMAL,
  /** Newsletters and other mail in quantity. */
  BULK
}
