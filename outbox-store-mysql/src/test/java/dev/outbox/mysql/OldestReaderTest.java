package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.NewEmail;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.StoreException;
import dev.outbox.testsupport.MariaDbServer;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** This release on the tables of a later one: used as long as they allow it, else left alone. */
class OldestReaderTest {

  private static final List<String> TABLES =
      List.of("emails", "log", "contents", "statuses", "keys", "nodes");

  private static HikariDataSource pool(String kind) {
    return kind.equals("h2")
        ? ConnectionPools.open(H2Settings.in("jdbc:h2:mem:reader"), "sa", "", 4)
        : ConnectionPools.open(MariaDbServer.shared().url(), "root", "", 4);
  }

  private static void alter(HikariDataSource pool, String prefix, Stream<String> statements) {
    Jdbi.create(pool)
        .useHandle(handle -> statements.forEach(sql -> handle.execute(sql.replace("{p}", prefix))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "mariadb"})
  void anOldNodeWorksOnNewerTablesThatAllowIt(String kind) {
    try (HikariDataSource pool = pool(kind)) {
      MySqlSchema.withPrefix("wider_").apply(pool);
      alter(
          pool,
          "wider_",
          Stream.concat(
              TABLES.stream().map(t -> "ALTER TABLE {p}" + t + " ADD COLUMN later INT DEFAULT 7"),
              Stream.of("UPDATE {p}schema SET version = 2, oldest_reader = 1")));

      try (MySqlStore store =
          MySqlStore.builder(pool).tablePrefix("wider_").applySchema().build()) {
        NewEmail email = Emails.plain();
        store.insert(List.of(email));
        Claim intake = Emails.claim(store, State.ACCEPTED).get(0);
        Claim wired = store.beginDelivery(List.of(intake)).get(0);
        store.complete(
            List.of(Completion.released(wired, Duration.ZERO, OutcomeDetails.of("closing"))));
        Claim again = store.beginDelivery(Emails.claim(store, State.ACCEPTED)).get(0);
        store.complete(List.of(Completion.sent(again, OutcomeDetails.NONE, true)));

        EmailSummary sent = store.find(email.id()).orElseThrow().summary();
        assertThat(sent.archived()).isTrue();
        assertThat(store.history(email.id())).hasSize(1);
      }
      assertThat(versions(pool, "wider_")).isEqualTo("2 for 1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "mariadb"})
  void noStoreIsBuiltOnTablesThatAreForLaterReleases(String kind) {
    try (HikariDataSource pool = pool(kind)) {
      EmailId waiting;
      try (MySqlStore store =
          MySqlStore.builder(pool).tablePrefix("later_").applySchema().build()) {
        waiting = store.insert(List.of(Emails.plain())).get(0).id();
      }
      alter(pool, "later_", Stream.of("UPDATE {p}schema SET version = 3, oldest_reader = 2"));

      for (MySqlStoreBuilder builder :
          List.of(
              MySqlStore.builder(pool).tablePrefix("later_"),
              MySqlStore.builder(pool).tablePrefix("later_").applySchema())) {
        assertThatThrownBy(builder::build)
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("have version 3")
            .hasMessageContaining("releases that know version 2; this one knows 1");
      }

      assertThat(versions(pool, "later_")).as("what it says there").isEqualTo("3 for 2");
      alter(pool, "later_", Stream.of("UPDATE {p}schema SET oldest_reader = 1"));
      try (MySqlStore store = MySqlStore.builder(pool).tablePrefix("later_").build()) {
        assertThat(store.find(waiting)).as("what waits there").isPresent();
      }
    }
  }

  private static String versions(HikariDataSource pool, String prefix) {
    return Jdbi.create(pool)
        .withHandle(
            handle ->
                handle
                    .select("SELECT version, oldest_reader FROM " + prefix + "schema")
                    .map((row, context) -> row.getInt(1) + " for " + row.getInt(2))
                    .one());
  }
}
