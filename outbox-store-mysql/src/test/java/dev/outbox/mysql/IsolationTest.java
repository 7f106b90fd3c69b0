package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.testsupport.MariaDbServer;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The store works at READ COMMITTED, whatever the host's pool is set to, and leaves that as is. */
class IsolationTest {

  private static final String ISOLATION = "SELECT @@SESSION.transaction_isolation";

  @ParameterizedTest
  @ValueSource(strings = {"TRANSACTION_REPEATABLE_READ", "TRANSACTION_READ_COMMITTED"})
  void everyStatementRunsAtReadCommitted(String level) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(MariaDbServer.shared().url());
    config.setUsername("root");
    config.setPassword("");
    config.setMaximumPoolSize(1);
    config.setTransactionIsolation(level);
    try (HikariDataSource pool = new HikariDataSource(config);
        TransactionRunner database = TransactionRunner.open(pool, null)) {
      List<String> levels =
          List.of(
              database.run("ask", IsolationTest::isolation),
              database.runOnce("ask", false, (handle, again) -> isolation(handle)),
              database.transact("ask", IsolationTest::isolation),
              database.transactOnce("ask", false, (handle, again) -> isolation(handle)),
              database.transactUnlessLost("ask", IsolationTest::isolation));
      assertThat(levels).hasSize(5).containsOnly("READ-COMMITTED");

      String host = Jdbi.create(pool).withHandle(IsolationTest::isolation);
      assertThat("TRANSACTION_" + host.replace('-', '_')).isEqualTo(level);
    }
  }

  private static String isolation(Handle handle) {
    return handle.select(ISOLATION).mapTo(String.class).one();
  }
}
