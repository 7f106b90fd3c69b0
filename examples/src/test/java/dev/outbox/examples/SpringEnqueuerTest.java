package dev.outbox.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.EmailQuery;
import dev.outbox.mysql.MySqlSchema;
import dev.outbox.mysql.MySqlStore;
import dev.outbox.settings.ProcessorSettings;
import dev.outbox.testkit.RecordingTransport;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What the Spring recipe says, with Spring itself. */
class SpringEnqueuerTest {

  private static final String URL = "jdbc:h2:mem:spring;MODE=MySQL;WRITE_DELAY=0;DB_CLOSE_DELAY=-1";

  private final DriverManagerDataSource source = new DriverManagerDataSource(URL, "sa", "");
  private final JdbcTemplate jdbc = new JdbcTemplate(source);
  private final TransactionTemplate transaction =
      new TransactionTemplate(new JdbcTransactionManager(source));
  private final RecordingTransport relay = new RecordingTransport();
  private final Email email =
      Email.to("ada@example.com").subject("Order 42").text("Thank you.").build();

  private MySqlStore store;
  private Outbox outbox;
  private SpringEnqueuer mail;

  @BeforeEach
  void open() {
    MySqlSchema.standard().apply(source);
    jdbc.execute("CREATE TABLE orders (id INT PRIMARY KEY)");
    store = MySqlStore.builder(source).build();
    outbox =
        Outbox.builder(store)
            .transport(relay)
            .defaultFrom("shop@example.com")
            .processor(ProcessorSettings.DEFAULT.poll(Duration.ofHours(1))) // only a wake-up counts
            .build();
    mail = new SpringEnqueuer(outbox, store, source);
  }

  @AfterEach
  void close() {
    outbox.close();
    store.close();
    jdbc.execute("DROP ALL OBJECTS");
  }

  @Test
  void orderAndEmailAreCommittedTogetherAndTheEmailLeavesAtOnce() {
    outbox.start();

    transaction.executeWithoutResult(
        status -> {
          jdbc.update("INSERT INTO orders (id) VALUES (42)");
          mail.send(email);
          assertThat(relay.sent()).isEmpty();
        });

    Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> relay.sent().size() == 1);
    assertThat(orders()).isEqualTo(1);
  }

  @Test
  void aRollbackLeavesNeither() {
    assertThatThrownBy(
            () ->
                transaction.executeWithoutResult(
                    status -> {
                      jdbc.update("INSERT INTO orders (id) VALUES (42)");
                      mail.send(email);
                      throw new IllegalStateException("no stock");
                    }))
        .hasMessage("no stock");

    assertThat(orders()).isZero();
    assertThat(outbox.query(EmailQuery.all(), 10).emails()).isEmpty();
  }

  @Test
  void outsideATransactionTheEmailIsStoredByItself() {
    mail.send(email);

    outbox.processDue();
    assertThat(relay.sent()).hasSize(1);
  }

  private int orders() {
    return jdbc.queryForList("SELECT id FROM orders").size();
  }
}
