package dev.outbox.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.mysql.MySqlStore;
import dev.outbox.testkit.RecordingTransport;
import java.nio.file.Path;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of docs/mysql.md for a host that keeps its own tables in the file, too. */
class SharedH2FileTest {

  private static final int ORDERS = 50;

  private final RecordingTransport relay = new RecordingTransport();

  @Test
  void ordersAndEmailsShareOneConnectionWhileTheProcessorRuns(@TempDir Path data) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(
        "jdbc:h2:file:"
            + data.resolve("shop").toAbsolutePath()
            + ";MODE=MySQL;WRITE_DELAY=0;REUSE_SPACE=FALSE"
            + ";DB_CLOSE_ON_EXIT=FALSE;TRACE_LEVEL_FILE=0");
    config.setMaximumPoolSize(1);
    HikariDataSource both = new HikariDataSource(config);
    MySqlStore store = MySqlStore.builder(both).applySchema().build();
    try (both;
        store;
        Outbox outbox =
            Outbox.builder(store)
                .transport(relay)
                .defaultFrom("Shop <shop@example.com>")
                .build()
                .start()) {
      Jdbi jdbi = Jdbi.create(both);
      jdbi.useHandle(handle -> handle.execute("CREATE TABLE orders (id INT PRIMARY KEY)"));

      for (int i = 0; i < ORDERS; i++) {
        order(jdbi, outbox, store, i);
      }

      await().untilAsserted(() -> assertThat(relay.sent()).hasSize(ORDERS));
    }
  }

  private static void order(Jdbi jdbi, Outbox outbox, MySqlStore store, int order) {
    jdbi.useTransaction(
        handle -> {
          handle.execute("INSERT INTO orders (id) VALUES (?)", order);
          outbox
              .in(store.transaction(handle))
              .send(
                  Email.to("ada@example.com")
                      .subject("Order " + order)
                      .text("Thank you.")
                      .idempotencyKey("order-" + order)
                      .build());
        });
  }
}
