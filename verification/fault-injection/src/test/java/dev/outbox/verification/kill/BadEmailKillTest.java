package dev.outbox.verification.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.dynamodb.DynamoDbSchema;
import dev.outbox.email.AddressesAndSubject;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.State;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.StoredValueLimits;
import dev.outbox.verification.chaos.DynamoPlace;
import dev.outbox.verification.chaos.DynamoSite;
import dev.outbox.verification.chaos.MariaSite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * 40 ordinary emails and one that cannot be stored as it was rendered, in one process that is ended
 * by {@code kill -9} and a second one that continues: all are recorded, none is delivered twice.
 */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BadEmailKillTest {

  /** The template prints two characters before the value. */
  private static final int ONE_TOO_LONG = StoredValueLimits.SUBJECT + 1 - 2;

  /** Printed twice, it is larger than an item of DynamoDB may be. */
  private static final int LARGER_THAN_AN_ITEM = 210_000;

  @TempDir Path folder;

  @Test
  void onMariaDbASubjectThatIsTooLongStopsNoOtherEmail() throws Exception {
    try (MariaSite database = new MariaSite(databaseFolder())) {
      String url = database.url(database.port());
      try (OutboxStore store = SharedStore.MARIADB.open(url)) {
        KilledRun run = new KilledRun(SharedStore.MARIADB, url, store, folder);
        run.execute("once", ONE_TOO_LONG, () -> {});
        allRecordedAndTheBadOneInvalid(run);
      }
    }
  }

  @Test
  void onMariaDbAnEmailThatTheDatabaseRejectsAfterItsDeliveryIsRecordedAsSent() throws Exception {
    try (MariaSite database = new MariaSite(databaseFolder())) {
      String url = database.url(database.port());
      try (OutboxStore store = SharedStore.MARIADB.open(url)) {
        KilledRun run = new KilledRun(SharedStore.MARIADB, url, store, folder);
        // "S " and nine characters more: one more than the shortened column has.
        run.execute("once", 9, () -> shortenSubjects(url));

        assertThat(run.unrecordedAtTheKill()).as("not recorded at the kill").isEmpty();
        assertThat(run.deliveredTwice()).as("delivered twice").isEmpty();
        assertThat(run.delivered()).as("delivered").hasSize(run.ids().size());
        assertThat(run.summaries()).extracting(EmailSummary::state).containsOnly(State.SENT);
        assertThat(subjects(run.ordinary())).as("their texts").doesNotContainNull();
        AddressesAndSubject reduced = run.bad().addressesAndSubject();
        assertThat(reduced == null ? null : reduced.subject()).as("reduced form").isNull();
      }
    }
  }

  @Test
  void onDynamoDbASubjectThatIsTooLongStopsNoOtherEmail() throws Exception {
    onDynamoDb("once", ONE_TOO_LONG);
  }

  @Test
  void onDynamoDbASubjectThatIsLargerThanAnItemStopsNoOtherEmail() throws Exception {
    onDynamoDb("twice", LARGER_THAN_AN_ITEM);
  }

  private void onDynamoDb(String template, int length) throws Exception {
    try (DynamoSite database = new DynamoSite(databaseFolder())) {
      String url = database.url(database.port());
      try (DynamoDbClient client = DynamoPlace.client(url)) {
        DynamoDbSchema.of(SharedStore.TABLE).create(client);
      }
      try (OutboxStore store = SharedStore.DYNAMODB.open(url)) {
        KilledRun run = new KilledRun(SharedStore.DYNAMODB, url, store, folder);
        run.execute(template, length, () -> {});
        allRecordedAndTheBadOneInvalid(run);
      }
    }
  }

  private Path databaseFolder() throws IOException {
    return Files.createDirectories(folder.resolve("database"));
  }

  private static void allRecordedAndTheBadOneInvalid(KilledRun run) {
    assertThat(run.unrecordedAtTheKill()).as("not recorded at the kill").isEmpty();
    assertThat(run.deliveredTwice()).as("delivered twice").isEmpty();
    assertThat(run.bad().state()).as("the bad one").isEqualTo(State.INVALID);
    assertThat(run.delivered()).as("never delivered").doesNotContain(run.bad().id().toString());
    assertThat(run.ordinary()).extracting(EmailSummary::state).containsOnly(State.SENT);
    assertThat(subjects(run.ordinary())).as("their texts").doesNotContainNull();
    assertThat(run.delivered()).as("delivered").hasSize(run.ids().size() - 1);
  }

  private static List<@Nullable String> subjects(List<EmailSummary> emails) {
    return emails.stream()
        .<@Nullable String>map(
            email -> Objects.requireNonNull(email.addressesAndSubject()).subject())
        .toList();
  }

  private static void shortenSubjects(String url) {
    try (Connection connection = DriverManager.getConnection(url, "root", "");
        Statement plain = connection.createStatement()) {
      for (String table : List.of("emails", "log")) {
        plain.execute("ALTER TABLE outbox_" + table + " MODIFY subject VARCHAR(10) NULL");
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
