package dev.outbox.verification.chaos;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Outbox;
import dev.outbox.content.ContentDirectory;
import dev.outbox.email.Email;
import dev.outbox.email.Receipt;
import dev.outbox.mysql.MySqlStore;
import dev.outbox.mysql.MySqlStoreBuilder;
import dev.outbox.store.OutboxStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A store on MariaDB or H2. */
final class SqlPlace implements Place {

  /** Small, so that much mail goes through the directory. */
  private static final int LARGE = 8 << 10;

  private static final String USER = "root";

  private static final int FEW_CONNECTIONS = 3;

  private final NodeSettings settings;
  private final @Nullable DataSource only;
  private final MySqlStore store;

  /**
   * Opens the store.
   *
   * @param only the connections that the host and all stores share; null if each has its own
   */
  SqlPlace(NodeSettings settings, Line line, @Nullable DataSource only) {
    this.settings = settings;
    this.only = only;
    this.store =
        (only == null ? ownPool(settings) : MySqlStore.builder(only))
            .tablePrefix(line.prefix())
            .applySchema()
            .largeContent(ContentDirectory.at(settings.content()))
            .largeContentFrom(LARGE)
            .build();
  }

  /** A node that only asks has so few connections that its threads wait for them. */
  private static MySqlStoreBuilder ownPool(NodeSettings settings) {
    MySqlStoreBuilder builder = MySqlStore.builder(settings.url(), USER, "");
    return settings.works() ? builder : builder.connections(FEW_CONNECTIONS);
  }

  /** Makes the single connection with which H2 keeps its word although the host writes, too. */
  static HikariDataSource pool(NodeSettings settings) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(settings.url());
    config.setUsername("sa");
    config.setMaximumPoolSize(1);
    return new HikariDataSource(config);
  }

  @Override
  public OutboxStore store() {
    return store;
  }

  @Override
  public void join(Outbox outbox, Email email, boolean commits, Consumer<Receipt> sent)
      throws SQLException {
    try (Connection connection = connect()) {
      connection.setAutoCommit(false);
      Receipt receipt = outbox.in(store.transaction(connection)).send(email);
      if (commits) {
        connection.commit();
      } else {
        connection.rollback();
      }
      sent.accept(receipt);
    }
  }

  private Connection connect() throws SQLException {
    return only == null
        ? DriverManager.getConnection(settings.url(), USER, "")
        : only.getConnection();
  }

  @Override
  public void close() {
    store.close();
  }
}
