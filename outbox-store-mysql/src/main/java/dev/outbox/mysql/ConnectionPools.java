package dev.outbox.mysql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.store.StoreException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;

/** Makes connection pools of our own, with settings under which nothing waits for ever. */
final class ConnectionPools {

  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(60);

  private ConnectionPools() {}

  static HikariDataSource open(String url, String user, String password, int connections) {
    checkDriver(url);
    HikariConfig config = new HikariConfig();
    config.setPoolName("outbox");
    config.setJdbcUrl(url);
    config.setUsername(user);
    config.setPassword(password);
    config.setMaximumPoolSize(connections);
    config.setConnectionTimeout(CONNECT.toMillis());
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    config.setInitializationFailTimeout(CONNECT.toMillis());
    String lower = url.toLowerCase(Locale.ROOT);
    if (!lower.startsWith("jdbc:h2:")) {
      config.addDataSourceProperty("connectTimeout", String.valueOf(CONNECT.toMillis()));
      config.addDataSourceProperty("socketTimeout", String.valueOf(ANSWER.toMillis()));
    }
    if (lower.startsWith("jdbc:mysql:")) {
      config.addDataSourceProperty("rewriteBatchedStatements", "true");
      config.addDataSourceProperty("useLocalSessionState", "true");
    }
    return new HikariDataSource(config);
  }

  /** Names the driver that the host has forgotten, which a connection's failure would not. */
  private static void checkDriver(String url) {
    try {
      DriverManager.getDriver(url);
    } catch (SQLException e) {
      String[] parts = url.split(":", 3);
      String kind = parts.length == 3 ? parts[0] + ":" + parts[1] : "this URL";
      throw new StoreException(
          StoreException.Reason.MISCONFIGURED,
          "there is no JDBC driver for " + kind + " on the class path",
          SanitizedSqlException.in(e));
    }
  }
}
