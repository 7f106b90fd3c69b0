package dev.outbox.verification.chaos;

import dev.outbox.store.UnknownOutcome;

/** One of the two outboxes that every node has, each with tables of its own. */
enum Line {
  RESEND("r_", UnknownOutcome.RESEND),
  HOLD("h_", UnknownOutcome.HOLD);

  private final String prefix;
  private final UnknownOutcome policy;

  Line(String prefix, UnknownOutcome policy) {
    this.prefix = prefix;
    this.policy = policy;
  }

  /** Returns what the names of its SQL tables begin with. */
  String prefix() {
    return prefix;
  }

  /** Returns its DynamoDB table. */
  String table() {
    return prefix + "emails";
  }

  UnknownOutcome policy() {
    return policy;
  }
}
