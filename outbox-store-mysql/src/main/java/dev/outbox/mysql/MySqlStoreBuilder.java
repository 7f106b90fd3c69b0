package dev.outbox.mysql;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.content.LargeContent;
import dev.outbox.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Collects what a {@link MySqlStore} needs. For use by one thread. */
public final class MySqlStoreBuilder {

  private final @Nullable DataSource source;
  private final @Nullable Login login;
  private MySqlSchema schema = MySqlSchema.standard();
  private boolean appliesSchema;
  private int connections = 10;
  private @Nullable LargeContent largeContent;
  private int largeContentFrom = 256 << 10;

  private record Login(String url, String user, String password) {

    @Override
    public String toString() {
      return "Login[]";
    }
  }

  MySqlStoreBuilder(DataSource source) {
    this.source = source;
    this.login = null;
  }

  MySqlStoreBuilder(String url, String user, String password) {
    this.source = null;
    this.login = new Login(url, user, password);
  }

  /** Sets the prefix of all tables; default {@code outbox_}. */
  public MySqlStoreBuilder tablePrefix(String prefix) {
    this.schema = MySqlSchema.withPrefix(prefix);
    return this;
  }

  /** Makes missing tables when the store is opened; default is to check only. */
  public MySqlStoreBuilder applySchema() {
    this.appliesSchema = true;
    return this;
  }

  /**
   * Sets how many connections our own pool has at most; default 10. The host's own pool keeps its
   * size, and an H2 file is used by one connection.
   */
  public MySqlStoreBuilder connections(int most) {
    if (most < 2) {
      throw new IllegalArgumentException("connections: want 2 or more, are " + most);
    }
    this.connections = most;
    return this;
  }

  /**
   * Sets where large content goes, such as a {@link dev.outbox.content.ContentDirectory} on a disk
   * that all nodes share; default is nowhere, and an email of more than 8 MiB is refused.
   */
  public MySqlStoreBuilder largeContent(LargeContent place) {
    this.largeContent = place;
    return this;
  }

  /** Sets from how many bytes on content counts as large; default 256 KiB. */
  public MySqlStoreBuilder largeContentFrom(int bytes) {
    if (bytes < 1 || bytes > ContentStorage.ROW_LIMIT) {
      throw new IllegalArgumentException(
          "largeContentFrom: want 1 to %d, is %d".formatted(ContentStorage.ROW_LIMIT, bytes));
    }
    this.largeContentFrom = bytes;
    return this;
  }

  /**
   * Connects, checks the tables, and returns the store.
   *
   * @throws StoreException if the database cannot be reached, is too old or not set up for us
   */
  public MySqlStore build() {
    if (source != null) {
      return open(source, null);
    }
    HikariDataSource pool = pool();
    try {
      return open(pool, pool);
    } catch (RuntimeException e) {
      pool.close();
      throw e;
    }
  }

  private HikariDataSource pool() {
    if (login == null) {
      throw new IllegalStateException("neither a data source nor a URL");
    }
    try {
      int most = H2Settings.isFile(login.url) ? 1 : connections; // more would wait for their turn
      return ConnectionPools.open(login.url, login.user, login.password, most);
    } catch (StoreException e) {
      throw e;
    } catch (RuntimeException e) {
      throw SqlExceptionTranslator.unconnected(e, DatabaseName.of(login.url));
    }
  }

  private MySqlStore open(DataSource connected, @Nullable HikariDataSource pool) {
    Server server = server(connected);
    TransactionRunner database = TransactionRunner.open(connected, pool);
    database.tidy();
    if (appliesSchema) {
      schema.apply(database);
    }
    schema.validate(database);
    return new MySqlStore(
        database,
        server.sql,
        new ContentStorage(largeContent, largeContentFrom, server.packet),
        largeContent);
  }

  /**
   * The server as it was found.
   *
   * @param sql the statements for it
   * @param packet the largest statement that it takes, in bytes
   */
  private record Server(SqlStatements sql, long packet) {}

  private Server server(DataSource connected) {
    try (Connection connection = connected.getConnection()) {
      SqlDialect dialect = SqlDialect.of(connection);
      if (dialect == SqlDialect.H2) {
        H2Settings.check(connection);
      }
      SqlStatements sql =
          new SqlStatements(dialect, dialect.takesBatches(connection), schema.prefix());
      return new Server(sql, dialect.packet(connection));
    } catch (SQLException e) {
      throw SqlExceptionTranslator.unconnected(e, DatabaseName.of(connected));
    }
  }
}
