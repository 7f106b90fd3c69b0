package dev.outbox.javalin;

/**
 * What somebody may do with the outbox over HTTP, as the host's access rule decides for each
 * request. Personal data are the addresses and all content; whoever may not see it gets addresses
 * as {@code a***@example.com}, and no previews.
 */
public enum AccessRole {
  /** Nothing: every route answers 403. */
  DENIED(false, false, false),
  /** Looking, without personal data. */
  VIEWER(true, false, false),
  /** Looking without personal data, and acting: send, requeue, cancel, erase. */
  OPERATOR(true, false, true),
  /** Looking, personal data included. */
  AUDITOR(true, true, false),
  /** Everything. */
  ADMIN(true, true, true);

  private final boolean enters;
  private final boolean seesPersonalData;
  private final boolean acts;

  AccessRole(boolean enters, boolean seesPersonalData, boolean acts) {
    this.enters = enters;
    this.seesPersonalData = seesPersonalData;
    this.acts = acts;
  }

  /** Returns whether anything is shown at all. */
  public boolean enters() {
    return enters;
  }

  /** Returns whether addresses and content are shown. */
  public boolean seesPersonalData() {
    return seesPersonalData;
  }

  /** Returns whether emails may be sent, requeued, cancelled and erased. */
  public boolean acts() {
    return acts;
  }
}
