package dev.outbox.mysql;

import dev.outbox.testkit.OutboxStoreContract;
import dev.outbox.testkit.StoreFixture;
import java.util.Objects;

/**
 * The contract on a server of the reader's own. It runs only if the environment names one, as
 * {@code OUTBOX_TEST_JDBC_URL} with {@code OUTBOX_TEST_JDBC_USER} and {@code
 * OUTBOX_TEST_JDBC_PASSWORD}; it empties the tables {@code outbox_*} there.
 */
class ExternalServerStore extends OutboxStoreContract {

  @Override
  protected StoreFixture open() {
    return new SqlFixture(
        Objects.requireNonNull(System.getenv("OUTBOX_TEST_JDBC_URL"), "OUTBOX_TEST_JDBC_URL"),
        System.getenv().getOrDefault("OUTBOX_TEST_JDBC_USER", "root"),
        System.getenv().getOrDefault("OUTBOX_TEST_JDBC_PASSWORD", ""));
  }
}
