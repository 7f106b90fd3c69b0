package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.email.State;
import dev.outbox.store.StoreException;
import dev.outbox.testsupport.JavaCommand;
import dev.outbox.testsupport.MariaDbServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaTest {

  private static HikariDataSource pool(String kind) {
    return kind.equals("h2")
        ? ConnectionPools.open(H2Settings.in("jdbc:h2:mem:schema"), "sa", "", 8)
        : ConnectionPools.open(MariaDbServer.shared().url(), "root", "", 8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "mariadb"})
  void withoutTablesTheStoreSaysWhatToDo(String kind) {
    try (HikariDataSource pool = pool(kind)) {
      assertThatThrownBy(() -> MySqlStore.builder(pool).tablePrefix("absent_").build())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("absent_schema")
          .hasMessageContaining("applySchema()");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "mariadb"})
  void severalNodesMayApplyItAtOnce(String kind) throws Exception {
    ExecutorService nodes = Executors.newFixedThreadPool(6);
    try (HikariDataSource pool = pool(kind)) {
      CountDownLatch start = new CountDownLatch(1);
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        all.add(
            nodes.submit(
                () -> {
                  start.await();
                  MySqlSchema.withPrefix("many_").apply(pool);
                  return true;
                }));
      }
      start.countDown();
      for (Future<?> node : all) {
        node.get();
      }
      MySqlSchema.withPrefix("many_").validate(pool);
    } finally {
      nodes.shutdownNow();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "mariadb"})
  void newerTablesAreFineAsLongAsTheyAllowThisReader(String kind) {
    try (HikariDataSource pool = pool(kind)) {
      MySqlSchema schema = MySqlSchema.withPrefix("newer_");
      schema.apply(pool);
      Jdbi host = Jdbi.create(pool);
      host.useHandle(h -> h.execute("UPDATE newer_schema SET version = 9, oldest_reader = 1"));
      schema.validate(pool);

      host.useHandle(h -> h.execute("UPDATE newer_schema SET version = 9, oldest_reader = 2"));
      assertThatThrownBy(() -> schema.validate(pool))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("version 9")
          .hasMessageContaining("version 2");

      host.useHandle(h -> h.execute("UPDATE newer_schema SET version = 0, oldest_reader = 0"));
      assertThatThrownBy(() -> schema.validate(pool))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("apply the newer schema");
      host.useHandle(h -> h.execute("UPDATE newer_schema SET version = 1, oldest_reader = 1"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "mariadb"})
  void aMissingColumnIsNamed(String kind) {
    try (HikariDataSource pool = pool(kind)) {
      MySqlSchema schema = MySqlSchema.withPrefix("column_");
      schema.apply(pool);
      Jdbi.create(pool).useHandle(h -> h.execute("ALTER TABLE column_log DROP COLUMN sent_token"));

      assertThatThrownBy(() -> schema.validate(pool))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("column_log")
          .hasMessageContaining("sent_token");
    }
  }

  @Test
  void aStateOfANewerReleaseIsLeftAlone() {
    try (HikariDataSource pool = pool("mariadb");
        MySqlStore store = MySqlStore.builder(pool).tablePrefix("future_").applySchema().build()) {
      var email = Emails.plain();
      store.insert(List.of(email, Emails.plain()));
      Jdbi host = Jdbi.create(pool);
      String states =
          MySqlSchema.standard().ddl().replaceAll("(?s).*?status ENUM\\((.*?)\\) NOT NULL.*", "$1");
      host.useHandle(
          handle -> {
            handle.execute(
                "ALTER TABLE future_emails MODIFY status ENUM(" + states + ", 'BOUNCED') NOT NULL");
            handle.execute(
                "UPDATE future_emails SET status = 'BOUNCED' WHERE id = ?",
                BinaryIds.bytes(email.id()));
          });

      assertThat(store.stats()).containsOnlyKeys(State.ACCEPTED);
      assertThat(store.find(email.id())).isEmpty();
      assertThat(store.query(dev.outbox.email.EmailQuery.all(), null, 10).emails()).hasSize(1);
      assertThat(Emails.claim(store, State.ACCEPTED)).hasSize(1);
      int rows =
          host.withHandle(
              h -> h.select("SELECT COUNT(*) FROM future_emails").mapTo(int.class).one());
      assertThat(rows).isEqualTo(2);
    }
  }

  @Test
  void aForgottenDriverIsNamed() {
    assertThatThrownBy(() -> MySqlStore.builder("jdbc:postgresql://db/shop", "a", "b").build())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("no JDBC driver for jdbc:postgresql");
  }

  @Test
  void aFileThatIsInUseIsSaidToBe(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("outbox");
    MySqlStore.embedded(file).close();
    Process other =
        new ProcessBuilder(JavaCommand.of(List.of(), HoldsFile.class, file.toString()))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader lines = other.inputReader()) {
      assertThat(lines.readLine()).isEqualTo("open");
      assertThatThrownBy(() -> MySqlStore.embedded(file))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("open in another process");
    } finally {
      other.destroyForcibly();
    }
  }

  /** Opens a store and keeps it. */
  static final class HoldsFile {
    public static void main(String[] args) throws IOException {
      MySqlStore store = MySqlStore.embedded(Path.of(args[0]));
      System.out.println("open");
      int unused = System.in.read();
      store.close();
    }
  }

  @Test
  void theScriptHasThePrefixFilledIn() {
    assertThat(MySqlSchema.withPrefix("mail_").ddl())
        .contains("CREATE TABLE IF NOT EXISTS mail_emails")
        .doesNotContain("${")
        .doesNotContain("outbox_");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1a", "a-b", "a`b", "a b", "x; DROP TABLE users; --"})
  void aPrefixThatIsNoNameIsRefused(String prefix) {
    assertThatThrownBy(() -> MySqlSchema.withPrefix(prefix))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("tablePrefix");
  }
}
