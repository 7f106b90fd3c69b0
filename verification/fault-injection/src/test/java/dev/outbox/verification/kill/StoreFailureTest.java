package dev.outbox.verification.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.email.AddressesAndSubject;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.State;
import dev.outbox.mysql.MySqlStore;
import dev.outbox.testkit.RecordingTransport;
import dev.outbox.transport.DeliveryResult;
import dev.outbox.transport.Envelope;
import dev.outbox.verification.chaos.MariaSite;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A MariaDB that fails for every email alike, between the delivery of emails and the recording of
 * the results: nothing is lost, nothing is delivered twice, and no email loses a text.
 */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StoreFailureTest {

  private static final int EMAILS = 41;
  private static final int WORKERS = 8;
  private static final String USER = "mailer";
  private static final String ADMIN = "admin";

  @TempDir static Path folder;

  private static MariaSite database;

  private final List<EmailId> delivered = new CopyOnWriteArrayList<>();
  private final CountDownLatch delivering = new CountDownLatch(WORKERS);
  private final CountDownLatch broken = new CountDownLatch(1);

  @BeforeAll
  static void open() throws Exception {
    database = new MariaSite(Files.createDirectories(folder.resolve("database")));
    try (Connection connection = DriverManager.getConnection(url(), "root", "");
        Statement plain = connection.createStatement()) {
      // A user without a name would be taken for any other on this host.
      plain.execute("DELETE FROM mysql.global_priv WHERE User = ''");
      // The server starts without checks of passwords; this switches them on.
      plain.execute("FLUSH PRIVILEGES");
      plain.execute("CREATE USER " + ADMIN + " IDENTIFIED BY 'admin'");
      plain.execute("GRANT ALL ON *.* TO " + ADMIN);
      plain.execute("CREATE USER " + USER + " IDENTIFIED BY 'first'");
      plain.execute("GRANT ALL ON outbox.* TO " + USER);
    }
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void withoutTheTableOfTheLogNothingIsLostOrDeliveredTwice() {
    everyEmailIsSentOnce(
        "log_", () -> rename("log_log", "log_away"), () -> rename("log_away", "log_log"));
  }

  @Test
  void withoutTheTableOfEmailsNothingIsLostOrDeliveredTwice() {
    everyEmailIsSentOnce(
        "emails_",
        () -> rename("emails_emails", "emails_away"),
        () -> rename("emails_away", "emails_emails"));
  }

  @Test
  void onAFullDiskNothingIsLostOrDeliveredTwice() {
    everyEmailIsSentOnce(
        "full_",
        () ->
            execute(
                "CREATE TRIGGER outbox.full_disk BEFORE INSERT ON outbox.full_log FOR EACH ROW"
                    + " SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1114,"
                    + " MESSAGE_TEXT = 'The table is full'"),
        () -> execute("DROP TRIGGER outbox.full_disk"));
  }

  @Test
  void withAChangedPasswordNothingIsLostOrDeliveredTwice() {
    everyEmailIsSentOnce(
        "password_", () -> changePassword("second"), () -> changePassword("first"));
  }

  private void everyEmailIsSentOnce(String prefix, Runnable failure, Runnable repair) {
    RecordingTransport transport = new RecordingTransport();
    transport.answer(this::deliver);
    MySqlStore store =
        MySqlStore.builder(url(), USER, "first").tablePrefix(prefix).applySchema().build();
    try (Outbox outbox =
        Outbox.builder(store).transport(transport).defaultFrom("shop@example.com").build()) {
      List<EmailId> ids = new ArrayList<>();
      for (int i = 0; i < EMAILS; i++) {
        Email email = Email.to("ada@example.com").subject("Order " + i).text("Hello").build();
        ids.add(outbox.send(email).id());
      }
      outbox.start();
      await().atMost(Duration.ofSeconds(20)).until(() -> delivering.getCount() == 0);
      failure.run();
      broken.countDown();
      awaitStandstill();
      assertThat(delivered).as("delivered before the store failed for good").isNotEmpty();
      repair.run();
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> assertThat(states(outbox, ids)).as("states").containsOnly(State.SENT));
      assertThat(delivered).as("deliveries").containsExactlyInAnyOrderElementsOf(ids);
      assertThat(subjects(outbox, ids)).as("texts").doesNotContainNull().hasSize(EMAILS);
    }
  }

  private DeliveryResult deliver(Envelope envelope) {
    delivering.countDown();
    try {
      broken.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    delivered.add(envelope.id());
    return RecordingTransport.accept(envelope);
  }

  /** Without recorded results a node stops to deliver. */
  private void awaitStandstill() {
    List<Integer> counts = new ArrayList<>();
    await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(500))
        .until(
            () -> {
              counts.add(delivered.size());
              int last = counts.size() - 1;
              return last >= 3 && counts.get(last).equals(counts.get(last - 3));
            });
  }

  private static List<State> states(Outbox outbox, List<EmailId> ids) {
    return ids.stream().map(id -> summary(outbox, id).state()).toList();
  }

  private static List<String> subjects(Outbox outbox, List<EmailId> ids) {
    return ids.stream()
        .map(id -> Objects.requireNonNull(summary(outbox, id).addressesAndSubject()))
        .map(AddressesAndSubject::subject)
        .map(subject -> Objects.requireNonNull(subject, "subject"))
        .toList();
  }

  private static EmailSummary summary(Outbox outbox, EmailId id) {
    return outbox.find(id).orElseThrow().summary();
  }

  private static void rename(String from, String to) {
    execute("RENAME TABLE outbox." + from + " TO outbox." + to);
  }

  private static void changePassword(String password) {
    execute("ALTER USER " + USER + " IDENTIFIED BY '" + password + "'");
    execute("KILL USER " + USER);
  }

  private static void execute(String statement) {
    try (Connection connection = connect();
        Statement plain = connection.createStatement()) {
      plain.execute(statement);
    } catch (SQLException e) {
      throw new IllegalStateException(statement, e);
    }
  }

  private static String url() {
    return database.url(database.port());
  }

  private static Connection connect() throws SQLException {
    return DriverManager.getConnection(url(), ADMIN, "admin");
  }
}
