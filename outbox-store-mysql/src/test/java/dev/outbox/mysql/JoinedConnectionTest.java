package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.store.NewEmail;
import dev.outbox.store.StoreWriter;
import dev.outbox.testsupport.MariaDbServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Joining a transaction on a bare connection, whose commit nobody tells us of. */
class JoinedConnectionTest {

  private HikariDataSource pool;
  private MySqlStore store;

  @BeforeEach
  void open() {
    pool = ConnectionPools.open(MariaDbServer.shared().url(), "root", "", 8);
    store = MySqlStore.builder(pool).tablePrefix("joined_").applySchema().build();
  }

  @AfterEach
  void close() {
    store.close();
    pool.close();
  }

  @Test
  void theCommitIsNoticedByItself() throws SQLException {
    AtomicInteger runs = new AtomicInteger();
    NewEmail email = Emails.plain();
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      StoreWriter writer = store.transaction(connection);
      writer.insert(List.of(email));
      writer.afterCommit(runs::incrementAndGet);
      assertThat(store.find(email.id())).isEmpty();
      assertThat(runs).hasValue(0);
      connection.commit();
    }
    await().atMost(Duration.ofSeconds(20)).until(() -> runs.get() == 1);
    assertThat(store.find(email.id())).isPresent();
  }

  @Test
  void aRollbackLeavesNothingAndTellsNobody() throws SQLException {
    AtomicInteger rolledBack = new AtomicInteger();
    AtomicInteger later = new AtomicInteger();
    NewEmail email = Emails.plain();
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      StoreWriter writer = store.transaction(connection);
      writer.insert(List.of(email));
      writer.afterCommit(rolledBack::incrementAndGet);
      connection.rollback();
      StoreWriter next = store.transaction(connection);
      next.insert(List.of(Emails.plain()));
      next.afterCommit(later::incrementAndGet);
      connection.commit();
    }
    await().atMost(Duration.ofSeconds(20)).until(() -> later.get() == 1);
    assertThat(rolledBack).hasValue(0);
    assertThat(store.find(email.id())).isEmpty();
  }

  @Test
  void aConnectionWithoutATransactionIsRefused() throws SQLException {
    try (Connection connection = pool.getConnection();
        Handle handle = Jdbi.create(pool).open()) {
      assertThatThrownBy(() -> store.transaction(connection))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("auto-commit");
      assertThatThrownBy(() -> store.transaction(handle))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("not in a transaction");
    }
  }

  @Test
  void aTransactionThatIsOverTakesNothingMore() throws SQLException {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      StoreWriter writer = store.transaction(connection);
      connection.setAutoCommit(true);

      assertThatThrownBy(() -> writer.insert(List.of(Emails.plain())))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("auto-commit");
    }
  }

  @Test
  void theHostsOwnRowsAndTheEmailAreOneTransaction() {
    Jdbi host = Jdbi.create(pool);
    host.useHandle(h -> h.execute("CREATE TABLE IF NOT EXISTS joined_orders (id INT)"));
    NewEmail email = Emails.plain();
    assertThatThrownBy(
            () ->
                host.useTransaction(
                    handle -> {
                      handle.execute("INSERT INTO joined_orders VALUES (42)");
                      store.transaction(handle).insert(List.of(email));
                      throw new IllegalStateException("the host changed its mind");
                    }))
        .isInstanceOf(IllegalStateException.class);

    assertThat(store.find(email.id())).isEmpty();
    int orders =
        host.withHandle(h -> h.select("SELECT COUNT(*) FROM joined_orders").mapTo(int.class).one());
    assertThat(orders).isZero();
  }
}
