package dev.outbox.verification.kill;

import dev.outbox.dynamodb.DynamoDbStore;
import dev.outbox.mysql.MySqlStore;
import dev.outbox.settings.LeaseSettings;
import dev.outbox.store.OutboxStore;
import dev.outbox.verification.chaos.DynamoPlace;
import java.time.Duration;

/** A store that a killed process and its successor open one after the other. */
enum SharedStore {
  MARIADB(200, 4) {
    @Override
    OutboxStore open(String url) {
      return MySqlStore.builder(url, "root", "").applySchema().build();
    }
  },
  /** DynamoDB Local answers slowly, so that it gets a longer lease. */
  DYNAMODB(500, 8) {
    @Override
    OutboxStore open(String url) {
      return DynamoDbStore.builder(DynamoPlace.client(url)).table(TABLE).build();
    }
  };

  /** The table of emails on DynamoDB. */
  static final String TABLE = "emails";

  private final long beatMillis;
  private final long leaseSeconds;

  SharedStore(long beatMillis, long leaseSeconds) {
    this.beatMillis = beatMillis;
    this.leaseSeconds = leaseSeconds;
  }

  abstract OutboxStore open(String url);

  LeaseSettings lease() {
    return new LeaseSettings(Duration.ofMillis(beatMillis), Duration.ofSeconds(leaseSeconds));
  }
}
