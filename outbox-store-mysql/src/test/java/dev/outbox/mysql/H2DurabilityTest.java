package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.email.EmailId;
import dev.outbox.store.StoreException;
import java.nio.file.Path;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What H2 in a file has committed survives its process. */
class H2DurabilityTest {

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCommitSurvivesAProcessThatHaltsRightAfterIt(boolean joined, @TempDir Path folder) {
    Path file = folder.resolve("outbox");
    String url = MySqlStoreBuilder.h2("jdbc:h2:file:" + file);
    String said;
    try (ChildJvm child = ChildJvm.start(CommitAndHalt.class, url, String.valueOf(joined))) {
      assertThat(child.awaitEnd()).as(child.said()).isEqualTo(CommitAndHalt.HALTED);
      said = child.said().strip();
    }

    try (MySqlStore store = MySqlStore.embedded(file)) {
      assertThat(store.find(EmailId.parse(said))).as("the email that was committed").isPresent();
    }
  }

  @Test
  void aDatabaseThatDelaysItsWritesIsRefused(@TempDir Path folder) {
    JdbcDataSource source = h2("file:" + folder.resolve("delayed") + ";MODE=MySQL");

    assertThatThrownBy(() -> MySqlStore.builder(source).applySchema().build())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("WRITE_DELAY=0");
  }

  @Test
  void aDatabaseThatSpeaksAnotherDialectIsRefused() {
    JdbcDataSource source = h2("mem:plain;WRITE_DELAY=0");

    assertThatThrownBy(() -> MySqlStore.builder(source).applySchema().build())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("MODE=MySQL");
  }

  @Test
  void aHostsOwnDatabaseWithBothSettingsIsTaken() {
    JdbcDataSource source = h2("mem:host;MODE=MySQL;WRITE_DELAY=0;DB_CLOSE_DELAY=-1");
    try (MySqlStore store = MySqlStore.builder(source).applySchema().build()) {
      assertThat(store.stats()).isEmpty();
    }
  }

  private static JdbcDataSource h2(String place) {
    JdbcDataSource source = new JdbcDataSource();
    source.setURL("jdbc:h2:" + place);
    source.setUser("sa");
    source.setPassword("");
    return source;
  }
}
