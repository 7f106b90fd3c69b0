package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.store.StoreException;
import dev.outbox.testsupport.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What H2 in a file has committed survives its process. */
class H2DurabilityTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCommitSurvivesAProcessThatHaltsRightAfterIt(boolean joined, @TempDir Path folder) {
    Path file = folder.resolve("outbox");
    String url = H2Settings.in("jdbc:h2:file:" + file);
    String said;
    try (ChildJvm child = ChildJvm.start(CommitAndHalt.class, url, String.valueOf(joined))) {
      assertThat(child.awaitEnd()).as(child.said()).isEqualTo(CommitAndHalt.HALTED);
      said = child.said().strip();
    }

    try (MySqlStore store = MySqlStore.embedded(file)) {
      assertThat(store.find(EmailId.parse(said))).as("the email that was committed").isPresent();
    }
  }

  /**
   * H2 alone loses commits here: to concurrent writers in every second kill, and, if it may write
   * over its file, which it does at once without a time of retention, in every third.
   */
  @RepeatedTest(5)
  void commitsOfManyThreadsSurviveAKilledProcess(@TempDir Path folder) {
    Path file = folder.resolve("busy");
    String url = H2Settings.in("jdbc:h2:file:" + file + ";RETENTION_TIME=0");
    String said;
    try (ChildJvm child = ChildJvm.start(BusyProcess.class, url)) {
      await().atMost(PATIENCE).until(() -> child.said().lines().count() > 3_000);
      child.kill();
      said = child.said().substring(0, child.said().lastIndexOf('\n'));
    }

    try (MySqlStore store = MySqlStore.embedded(file)) {
      Map<EmailId, State> found = new HashMap<>();
      ids(said, "STORED ")
          .forEach(id -> store.find(id).ifPresent(email -> found.put(id, email.summary().state())));
      assertThat(ids(said, "STORED ")).as("stored").allMatch(found::containsKey);
      assertThat(ids(said, "SENT ")).as("sent").allMatch(id -> found.get(id) == State.SENT);
      assertThat(Samples.claim(store, NodeId.incarnate("next"), 10_000))
          .as("claimed")
          .allMatch(claim -> found.getOrDefault(claim.id(), State.ACCEPTED) == State.ACCEPTED);
    }
  }

  /** H2 alone closes the database when the process is asked to end, and does not wait. */
  @Test
  void aProcessThatEndsCanStillWriteDownWhatItDid(@TempDir Path folder) {
    try (ChildJvm child = ChildJvm.start(LastWords.class, folder.resolve("outbox").toString())) {
      child.awaitEnd();
      assertThat(child.said()).contains(LastWords.STORED);
    }
  }

  @Test
  void twoTransactionsNeverWriteToOneFileAtOnce(@TempDir Path folder) {
    JdbcDataSource source = new JdbcDataSource();
    source.setURL(H2Settings.in("jdbc:h2:file:" + folder.resolve("turns")));
    try (MySqlStore one = MySqlStore.builder(source).tablePrefix("a_").applySchema().build();
        MySqlStore other = MySqlStore.builder(source).tablePrefix("b_").applySchema().build()) {
      MeetingTrigger.on(source, "a_emails", "b_emails");
      CompletableFuture.allOf(
              CompletableFuture.runAsync(
                  () -> one.insert(List.of(Samples.email())), new OwnThread()),
              CompletableFuture.runAsync(
                  () -> other.insert(List.of(Samples.email())), new OwnThread()))
          .join();

      assertThat(MeetingTrigger.calls()).isEqualTo(2);
      assertThat(MeetingTrigger.met()).as("in the database together").isFalse();
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
  void aFileThatIsWrittenOverIsRefused(@TempDir Path folder) {
    JdbcDataSource source = h2("file:" + folder.resolve("reused") + ";MODE=MySQL;WRITE_DELAY=0");

    assertThatThrownBy(() -> MySqlStore.builder(source).applySchema().build())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("REUSE_SPACE=FALSE");
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

  private static List<EmailId> ids(String said, String what) {
    return said.lines()
        .filter(line -> line.startsWith(what))
        .map(line -> EmailId.parse(line.substring(what.length())))
        .toList();
  }

  private static JdbcDataSource h2(String place) {
    JdbcDataSource source = new JdbcDataSource();
    source.setURL("jdbc:h2:" + place);
    source.setUser("sa");
    source.setPassword("");
    return source;
  }
}
