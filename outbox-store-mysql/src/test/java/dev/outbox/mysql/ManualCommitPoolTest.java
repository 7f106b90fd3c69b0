package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.EmailBuilder;
import dev.outbox.testkit.RecordingTransport;
import dev.outbox.testsupport.MariaDbServer;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A store on a pool of the host's whose connections have auto-commit off. */
class ManualCommitPoolTest {

  private static final String H2 = H2Settings.in("jdbc:h2:mem:manual") + ";DB_CLOSE_DELAY=-1";
  private static final String PREFIX = "manual_";

  static Stream<Arguments> databases() {
    return Stream.of(H2, MariaDbServer.shared().url())
        .flatMap(
            url ->
                Stream.of("TRANSACTION_READ_COMMITTED", "TRANSACTION_REPEATABLE_READ")
                    .map(level -> Arguments.of(url, level)));
  }

  @ParameterizedTest
  @MethodSource("databases")
  void everythingIsCommitted(String url, String level) {
    RecordingTransport relay = new RecordingTransport();
    try (HikariDataSource pool = pool(url, level);
        MySqlStore store = MySqlStore.builder(pool).tablePrefix(PREFIX).applySchema().build();
        Outbox outbox = Outbox.builder(store).transport(relay).build();
        Handle own = Jdbi.create(url, user(url), "").open()) {
      outbox.send(email().build());
      outbox.send(email().idempotencyKey("order-42").build());
      outbox.sendAll(List.of(email().build(), email().build()));
      assertThat(count(own, "emails")).isEqualTo(4);

      outbox.processDue();
      assertThat(relay.sent()).hasSize(4);
      assertThat(count(own, "emails")).isZero();
      assertThat(count(own, "log")).isEqualTo(4);
    } finally {
      dropTables(url);
    }
  }

  @Test
  void theHostGetsItsConnectionsBackWithAutoCommitOff() throws SQLException {
    try (Connection only = DriverManager.getConnection(H2, "sa", "")) {
      only.setAutoCommit(false);
      List<Boolean> modes = new ArrayList<>();
      try (TransactionRunner database = TransactionRunner.open(lending(only, modes), null)) {
        modes.clear();
        int one = database.run("ask", own -> own.select("SELECT 1").mapTo(Integer.class).one());
        assertThat(one).isEqualTo(1);
      }
      assertThat(modes).containsExactly(false);
    }
  }

  /** Lends one connection, and notes its mode whenever it is closed. */
  private static DataSource lending(Connection only, List<Boolean> modes) {
    Connection lent =
        (Connection)
            Proxy.newProxyInstance(
                ManualCommitPoolTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) ->
                    method.getName().equals("close")
                        ? noted(only, modes)
                        : method.invoke(only, arguments));
    return (DataSource)
        Proxy.newProxyInstance(
            ManualCommitPoolTest.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> lent);
  }

  private static @Nullable Object noted(Connection only, List<Boolean> modes) throws SQLException {
    modes.add(only.getAutoCommit());
    return null;
  }

  private static HikariDataSource pool(String url, String level) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername(user(url));
    config.setPassword("");
    config.setTransactionIsolation(level);
    config.setAutoCommit(false);
    return new HikariDataSource(config);
  }

  private static String user(String url) {
    return url.equals(H2) ? "sa" : "root";
  }

  private static EmailBuilder email() {
    return Email.to("ada@example.com").from("shop@example.com").subject("Hi").text("Ho");
  }

  private static int count(Handle own, String table) {
    return own.select("SELECT COUNT(*) FROM " + PREFIX + table).mapTo(Integer.class).one();
  }

  private static void dropTables(String url) {
    Jdbi.create(url, user(url), "")
        .useHandle(
            own ->
                Stream.of("schema", "emails", "log", "contents", "statuses", "keys", "nodes")
                    .forEach(table -> own.execute("DROP TABLE IF EXISTS " + PREFIX + table)));
  }
}
