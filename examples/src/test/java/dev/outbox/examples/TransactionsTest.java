package dev.outbox.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.EmailQuery;
import dev.outbox.mysql.MySqlStore;
import dev.outbox.testkit.RecordingTransport;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The code of docs/learning/transactions.md. */
class TransactionsTest {

  private final DataSource source =
      new DriverManagerDataSource(
          "jdbc:h2:mem:orders;MODE=MySQL;WRITE_DELAY=0;DB_CLOSE_DELAY=-1", "sa", "");
  private final Jdbi jdbi = Jdbi.create(source);
  private final RecordingTransport relay = new RecordingTransport();
  private final Email email =
      Email.to("ada@example.com").subject("Order 42").text("Thank you.").build();

  private MySqlStore store;
  private Outbox outbox;

  @BeforeEach
  void open() {
    store = MySqlStore.builder(source).applySchema().build();
    outbox = Outbox.builder(store).transport(relay).defaultFrom("Shop <shop@example.com>").build();
    jdbi.useHandle(handle -> handle.execute("CREATE TABLE orders (id INT PRIMARY KEY)"));
  }

  @AfterEach
  void close() {
    outbox.close();
    store.close();
    jdbi.useHandle(handle -> handle.execute("DROP ALL OBJECTS"));
  }

  @Test
  void aHandleOfJdbiIsJoined() {
    jdbi.useTransaction(
        handle -> {
          handle.execute("INSERT INTO orders (id) VALUES (?)", 42);
          outbox.in(store.transaction(handle)).send(email);
        });

    outbox.processDue();
    assertThat(relay.sent()).hasSize(1);
  }

  @Test
  void aJdbcConnectionIsJoined() throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("INSERT INTO orders (id) VALUES (42)");
      outbox.in(store.transaction(connection)).send(email);
      connection.commit();
      outbox.wake(); // not needed, but quicker
    }

    outbox.processDue();
    assertThat(relay.sent()).hasSize(1);
  }

  @Test
  void aRollbackLeavesNothing() {
    jdbi.useTransaction(
        handle -> {
          handle.execute("INSERT INTO orders (id) VALUES (?)", 42);
          outbox.in(store.transaction(handle)).send(email);
          handle.rollback();
        });

    assertThat(outbox.query(EmailQuery.all(), 10).emails()).isEmpty();
  }
}
