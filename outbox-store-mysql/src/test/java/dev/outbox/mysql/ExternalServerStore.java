package dev.outbox.mysql;

import dev.outbox.testkit.OutboxStoreContract;
import dev.outbox.testkit.StoreFixture;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;

/**
 * The contract on a server of the reader's own. It runs only if the environment names one, as
 * {@code OUTBOX_TEST_JDBC_URL} with {@code OUTBOX_TEST_JDBC_USER} and {@code
 * OUTBOX_TEST_JDBC_PASSWORD}; it empties the tables {@code outbox_*} there.
 */
class ExternalServerStore extends OutboxStoreContract {

  private static final Map<String, String> NAMED = System.getenv();

  /** Fails once and at once if there is no way in, and not once for each test. */
  @BeforeAll
  static void connect() throws SQLException {
    DriverManager.getConnection(url(), user(), password()).close();
  }

  @Override
  protected StoreFixture open() {
    return new SqlFixture(url(), user(), password());
  }

  private static String url() {
    return Objects.requireNonNull(NAMED.get("OUTBOX_TEST_JDBC_URL"), "OUTBOX_TEST_JDBC_URL");
  }

  private static String user() {
    return NAMED.getOrDefault("OUTBOX_TEST_JDBC_USER", "root");
  }

  private static String password() {
    return NAMED.getOrDefault("OUTBOX_TEST_JDBC_PASSWORD", "");
  }
}
