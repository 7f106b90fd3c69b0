package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Outbox;
import dev.outbox.callback.CallbackResult;
import dev.outbox.email.Email;
import dev.outbox.testkit.RecordingTransport;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who talks to a relay or to a receiver of callbacks has no connection to the database. */
class OpenTransactionTest {

  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final List<String> talks = new CopyOnWriteArrayList<>();
  @TempDir Path folder;
  private HikariDataSource pool;
  private MySqlStore store;

  @BeforeEach
  void open() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(H2Settings.in("jdbc:h2:file:" + folder.resolve("outbox")));
    config.setUsername("sa");
    pool = new HikariDataSource(config);
    store = MySqlStore.builder(pool).applySchema().build();
  }

  @AfterEach
  void close() {
    store.close();
    pool.close();
  }

  @Test
  void noTransactionIsOpenWhileWeTalkToARelayOrAReceiver() {
    try (Outbox outbox = outbox()) {
      outbox.send(email());
      outbox.processDue();
    }
    assertThat(talks).containsExactly("relay: idle", "receiver: idle");
  }

  @Test
  void noneIsOpenOnTheThreadsOfAStartedOutboxEither() {
    try (Outbox outbox = outbox().start()) {
      outbox.send(email());
      Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> talks.size() == 2);
    }
    assertThat(talks).containsExactly("relay: idle", "receiver: idle");
  }

  @Test
  void oneThatStaysOpenIsSeen() throws Exception {
    try (Connection open = pool.getConnection()) {
      open.setAutoCommit(false);
      talk("relay");
    }
    assertThat(talks).containsExactly("relay: 1 in use");
  }

  private Outbox outbox() {
    RecordingTransport relay = new RecordingTransport();
    relay.beforeFinalStep(() -> talk("relay"));
    return Outbox.builder(store)
        .transport(relay)
        .callback(
            notice -> {
              talk("receiver");
              return new CallbackResult.Acknowledged("thanks");
            })
        .callbackUrl(URI.create("https://shop.example.com/mail-events"))
        .build();
  }

  private static Email email() {
    return Email.to("ada@example.com").from("shop@example.com").subject("Hi").text("Ho").build();
  }

  /** Other threads use the database for moments; what this talk holds it would hold to its end. */
  private void talk(String partner) {
    try {
      Awaitility.await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(1))
          .until(() -> inUse() == 0);
      talks.add(partner + ": idle");
    } catch (ConditionTimeoutException e) {
      talks.add(partner + ": " + inUse() + " in use");
    }
  }

  private int inUse() {
    return pool.getHikariPoolMXBean().getActiveConnections();
  }
}
