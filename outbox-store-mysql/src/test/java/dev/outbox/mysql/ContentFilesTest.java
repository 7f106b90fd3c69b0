package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.content.ContentDirectory;
import dev.outbox.content.LargeContent;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import dev.outbox.store.ActionResult;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.NewEmail;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.StoreException;
import dev.outbox.store.StoredContent;
import dev.outbox.testsupport.CuttingProxy;
import dev.outbox.testsupport.MariaDbServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls that fail, or are repeated, leave no file of content; erasing leaves none in any case. */
class ContentFilesTest {

  private static final Bytes LARGE = Bytes.utf8("x".repeat(2_000));
  private static final String COMMIT = "\u0003COMMIT";

  private final Jdbi direct = Jdbi.create(MariaDbServer.shared().url(), "root", "");
  private CuttingProxy proxy;
  private MySqlStore store;

  @TempDir Path files;

  @BeforeEach
  void open() {
    proxy = new CuttingProxy(MariaDbServer.shared().port());
    store = builder().largeContent(ContentDirectory.at(files)).largeContentFrom(1_000).build();
  }

  private MySqlStoreBuilder builder() {
    return MySqlStore.builder(
            "jdbc:mariadb://127.0.0.1:%d/outbox".formatted(proxy.port()), "root", "")
        .tablePrefix("files_")
        .applySchema();
  }

  @AfterEach
  void close() {
    store.close();
    proxy.close();
    direct.useHandle(
        handle ->
            Stream.of("emails", "log", "contents", "statuses", "keys", "nodes", "schema")
                .forEach(table -> handle.execute("DROP TABLE IF EXISTS files_" + table)));
  }

  @Test
  void anEraseWhoseAnswerWasLostRemovesTheFiles() {
    EmailId id = stored(LARGE);
    proxy.cutAnswerTo(COMMIT);

    assertThat(erase(id)).isEqualTo(ActionResult.Status.DONE);

    assertThat(proxy.hasCut()).isTrue();
    assertThat(files()).isEmpty();
  }

  @Test
  void eraseRemovesFilesThatNoRowNamesAlsoOfAnErasedEmail() {
    EmailId id = stored(LARGE);
    EmailId other = stored(LARGE);
    ContentDirectory.at(files).save(id, LargeContent.Kind.COMPOSED, LARGE);

    assertThat(erase(id)).isEqualTo(ActionResult.Status.DONE);
    assertThat(files()).singleElement().asString().contains(other.toString());

    ContentDirectory.at(files).save(id, LargeContent.Kind.COMPOSED, LARGE);
    assertThat(erase(id)).isEqualTo(ActionResult.Status.DONE);
    assertThat(files()).hasSize(1);
  }

  @Test
  void anEraseThatCannotRemoveAFileFails() throws IOException {
    EmailId id = stored(LARGE);
    // A folder that is not empty, under a file's name, cannot be deleted.
    Path stuck = files().get(0).resolveSibling(id + "-stuck");
    Files.createDirectories(stuck.resolve("inside"));

    assertThatThrownBy(() -> erase(id))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(id + " could not be removed");
  }

  @Test
  void eraseIsRefusedWhereTheFilesAreOutOfReach() {
    EmailId waiting = stored(LARGE);
    EmailId sent = stored(LARGE);
    Claim claim =
        store.beginDelivery(Emails.claim(store, State.ACCEPTED)).stream()
            .filter(each -> each.id().equals(sent))
            .findFirst()
            .orElseThrow();
    store.complete(List.of(Completion.sent(claim, OutcomeDetails.NONE, true)));
    try (MySqlStore without = builder().build()) {
      for (EmailId id : List.of(waiting, sent)) {
        assertThatThrownBy(() -> without.apply(OperatorAction.ERASE, List.of(id)))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining(id.toString())
            .hasMessageContaining("largeContent(ContentDirectory.at(path))");
        assertThat(store.find(id).orElseThrow().summary().erased()).isFalse();
      }
    }
    assertThat(files()).hasSize(2);
  }

  @Test
  void aResultThatTheDatabaseRejectsLeavesNoFile() {
    stored(Bytes.utf8("small"));
    Claim claim = claimed();
    direct.useHandle(
        handle ->
            handle.execute(
                "ALTER TABLE files_emails ADD CONSTRAINT none CHECK (composed_bytes=0)"));

    assertThatThrownBy(() -> store.complete(List.of(retry(claim))))
        .isInstanceOf(StoreException.class);

    assertThat(files()).isEmpty();
  }

  @Test
  void aResultThatIsRecordedTwiceHasOneFile() {
    stored(Bytes.utf8("small"));
    Completion retry = retry(claimed());

    assertThat(store.complete(List.of(retry))).containsExactly(CompletionResult.APPLIED);
    assertThat(store.complete(List.of(retry))).containsExactly(CompletionResult.APPLIED);

    assertThat(files()).hasSize(1);
    assertThat(composed()).isEqualTo(LARGE);
  }

  @Test
  void aResultWhoseAnswerWasLostKeepsItsFile() {
    stored(Bytes.utf8("small"));
    Completion retry = retry(claimed());
    proxy.cutAnswerTo(COMMIT);

    assertThat(store.complete(List.of(retry))).containsExactly(CompletionResult.APPLIED);

    assertThat(proxy.hasCut()).isTrue();
    assertThat(composed()).isEqualTo(LARGE);
  }

  @Test
  void anInsertThatIsRolledBackLeavesNoFile() {
    direct.useHandle(
        handle ->
            handle.execute("ALTER TABLE files_emails ADD CONSTRAINT none CHECK (payload_bytes=0)"));

    assertThatThrownBy(() -> store.insert(List.of(Samples.keyed("one"), Emails.withPayload(LARGE))))
        .isInstanceOf(StoreException.class);

    assertThat(files()).isEmpty();
  }

  @Test
  void anInsertThatGetsNoConnectionLeavesNoFile() {
    store.close();

    assertThatThrownBy(() -> store.insert(List.of(Emails.withPayload(LARGE))))
        .isInstanceOf(StoreException.class);

    assertThat(files()).isEmpty();
  }

  private EmailId stored(Bytes payload) {
    NewEmail email = Emails.withPayload(payload);
    store.insert(List.of(email));
    return email.id();
  }

  private Claim claimed() {
    return store.beginDelivery(Emails.claim(store, State.ACCEPTED)).get(0);
  }

  private @Nullable Bytes composed() {
    StoredContent content = Emails.claim(store, State.READY).get(0).content();
    return content == null ? null : content.composed();
  }

  private static Completion retry(Claim claim) {
    return Completion.retry(claim, Duration.ZERO, OutcomeDetails.NONE, LARGE);
  }

  private ActionResult.Status erase(EmailId id) {
    return store.apply(OperatorAction.ERASE, List.of(id)).get(0).status();
  }

  private List<Path> files() {
    try (Stream<Path> all = Files.walk(files)) {
      return all.filter(Files::isRegularFile).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
