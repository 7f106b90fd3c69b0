package dev.outbox.mysql;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.testkit.OutboxStoreContract;
import dev.outbox.testkit.StoreFixture;
import dev.outbox.testsupport.MariaDbServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * The contract as {@link MariaDbStoreTest} does not run it: with MySQL's driver, on connections of
 * a host that have the server's own isolation level, with {@code innodb_snapshot_isolation}, which
 * is off by default in MariaDB 11.4 and on from 11.6 on, and with a server that tells its version
 * as those before 11 do. MySQL's driver believes that it talks to version 5.5.
 */
class MySqlDriverStoreTest extends OutboxStoreContract {

  private static MariaDbServer server;
  private static HikariDataSource host;

  @BeforeAll
  static void connect() {
    server =
        MariaDbServer.start(
            MariaDbServer.freshData(),
            0,
            "--version=5.5.5-10.11.18-MariaDB",
            "--max-connections=300");
    host = new HikariDataSource();
    host.setJdbcUrl(server.mySqlUrl() + "?sessionVariables=innodb_snapshot_isolation=ON");
    host.setUsername("root");
    host.setPassword("");
    host.setMaximumPoolSize(24);
  }

  @AfterAll
  static void disconnect() {
    host.close();
    server.close();
  }

  @Override
  protected StoreFixture open() {
    return new SqlFixture(host);
  }
}
