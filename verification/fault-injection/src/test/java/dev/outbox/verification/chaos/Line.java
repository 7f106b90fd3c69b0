package dev.outbox.verification.chaos;

import dev.outbox.settings.UnknownOutcomePolicy;

/** One of the two outboxes that every node has, each with tables of its own. */
enum Line {
  RESEND("r_", UnknownOutcomePolicy.RESEND),
  HOLD("h_", UnknownOutcomePolicy.HOLD);

  private final String prefix;
  private final UnknownOutcomePolicy policy;

  Line(String prefix, UnknownOutcomePolicy policy) {
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

  UnknownOutcomePolicy policy() {
    return policy;
  }
}
