package dev.outbox.verification.chaos;

import dev.outbox.settings.LeaseSettings;
import java.time.Duration;

/**
 * How long what takes; all of it follows from the lease.
 *
 * @param lease of the nodes
 */
record Times(LeaseSettings lease) {

  Duration length() {
    return lease.leaseDuration();
  }

  /** The relay answers a final dot past the lease, so that age alone is a reason for nothing. */
  Duration slowRelay() {
    return length().plusMillis(1_500);
  }

  /** Nodes wait for that answer. */
  Duration finalReply() {
    return length().plusSeconds(4);
  }

  /** A relay that stalls does so past the nodes' patience. */
  Duration stalledRelay() {
    return finalReply().plusSeconds(1);
  }

  /** The commit follows the slowest answer at once. */
  Duration committed() {
    return slowRelay().plusSeconds(3);
  }

  /** Half a lease without a beat, and a node holds its breath. */
  Duration noteworthyStall() {
    return length().dividedBy(2);
  }
}
