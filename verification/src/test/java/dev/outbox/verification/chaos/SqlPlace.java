package dev.outbox.verification.chaos;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.Receipt;
import dev.outbox.mysql.MySqlStore;
import dev.outbox.store.ContentDirectory;
import dev.outbox.store.OutboxStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.function.Consumer;

/** A store on MariaDB or H2. */
final class SqlPlace implements Place {

  /** Small, so that much mail goes through the directory. */
  private static final int LARGE = 8 << 10;

  private final NodeSettings settings;
  private final MySqlStore store;

  SqlPlace(NodeSettings settings, Line line) {
    this.settings = settings;
    this.store =
        MySqlStore.builder(settings.url(), user(settings), "")
            .tablePrefix(line.prefix())
            .applySchema()
            .largeContent(ContentDirectory.at(settings.content()))
            .largeContentFrom(LARGE)
            .build();
  }

  private static String user(NodeSettings settings) {
    return settings.store() == StoreKind.H2 ? "sa" : "root";
  }

  @Override
  public OutboxStore store() {
    return store;
  }

  @Override
  public void join(Outbox outbox, Email email, boolean commits, Consumer<Receipt> sent)
      throws SQLException {
    try (Connection connection = DriverManager.getConnection(settings.url(), user(settings), "")) {
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

  @Override
  public void close() {
    store.close();
  }
}
