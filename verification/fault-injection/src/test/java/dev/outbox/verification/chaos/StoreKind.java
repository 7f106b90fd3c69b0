package dev.outbox.verification.chaos;

import dev.outbox.settings.LeaseSettings;
import java.time.Duration;

/** A store that can have its worst day. */
enum StoreKind {
  MARIADB(500, 6),
  H2(500, 6),
  /** DynamoDB Local answers slowly when the machine has much to do. */
  DYNAMODB(1_000, 12);

  private final long beatMillis;
  private final long leaseSeconds;

  StoreKind(long beatMillis, long leaseSeconds) {
    this.beatMillis = beatMillis;
    this.leaseSeconds = leaseSeconds;
  }

  Times times() {
    return new Times(
        new LeaseSettings(Duration.ofMillis(beatMillis), Duration.ofSeconds(leaseSeconds)));
  }
}
