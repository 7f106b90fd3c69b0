package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.outbox.content.ContentDirectory;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.email.State;
import dev.outbox.settings.RetentionSettings;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.IdempotencyKey;
import dev.outbox.store.NewEmail;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.Sha256;
import dev.outbox.store.StoredContent;
import dev.outbox.testsupport.LogLines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Content that is too large for a row lives in files, for exactly as long as its row needs it. */
class LargeContentTest {

  private static final Bytes LARGE = Bytes.utf8("x".repeat(2_000));
  private static final Bytes SMALL = Bytes.utf8("small");

  @TempDir Path folder;
  private Path files;
  private MySqlStore store;

  @BeforeEach
  void open() {
    files = folder.resolve("content");
    store = open(1_000);
  }

  private MySqlStore open(int limit) {
    return MySqlStore.builder(H2Settings.in("jdbc:h2:file:" + folder.resolve("outbox")), "sa", "")
        .applySchema()
        .largeContent(ContentDirectory.at(files))
        .largeContentFrom(limit)
        .build();
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void onlyLargeContentBecomesAFile() {
    NewEmail small = Emails.withPayload(SMALL);
    NewEmail large = Emails.withPayload(LARGE);
    store.insert(List.of(small, large));

    assertThat(files()).singleElement().asString().contains(large.id().toString());
    assertThat(content(small.id()).payload()).isEqualTo(SMALL);
    assertThat(content(large.id()).payload()).isEqualTo(LARGE);
  }

  @Test
  void filesGoWhenTheEmailIsSent() {
    store.insert(List.of(Emails.withPayload(LARGE)));
    Claim claim = store.beginDelivery(Emails.claim(store, State.ACCEPTED)).get(0);
    assertThat(claim.content()).isEqualTo(new StoredContent(LARGE, null));

    store.complete(List.of(Completion.retry(claim, Duration.ZERO, OutcomeDetails.NONE, LARGE)));
    assertThat(files()).hasSize(2);
    Claim again = Emails.claim(store, State.READY).get(0);
    assertThat(again.content()).isEqualTo(new StoredContent(LARGE, LARGE));
    store.complete(List.of(Completion.sent(again, OutcomeDetails.NONE, false)));

    assertThat(files()).isEmpty();
  }

  @Test
  void filesOfSentEmailsStayAsLongAsTheyAreKept() {
    store.insert(List.of(Emails.withPayload(LARGE)));
    Claim claim = store.beginDelivery(Emails.claim(store, State.ACCEPTED)).get(0);
    store.complete(List.of(Completion.sent(claim, OutcomeDetails.NONE, true)));

    assertThat(content(claim.id()).payload()).isEqualTo(LARGE);
    store.prune(RetentionSettings.DEFAULT, 10);

    assertThat(store.find(claim.id()).orElseThrow().content()).isNull();
    assertThat(files()).isEmpty();
  }

  @Test
  void filesGoWithWhatIsErasedOrPruned() {
    NewEmail erased = Emails.withPayload(LARGE);
    NewEmail pruned = Emails.withPayload(LARGE);
    store.insert(List.of(erased, pruned));
    store.apply(OperatorAction.ERASE, List.of(erased.id()));
    assertThat(files()).hasSize(1);

    store.apply(OperatorAction.CANCEL, List.of(pruned.id()));
    Duration none = Duration.ZERO;
    store.prune(new RetentionSettings(none, none, none, none), 10);

    assertThat(store.find(pruned.id())).isEmpty();
    assertThat(files()).isEmpty();
  }

  @Test
  void aRequestThatIsAlreadyKnownLeavesNoFile() {
    store.insert(List.of(keyed()));

    store.insert(List.of(keyed()));

    assertThat(files()).hasSize(1);
  }

  @Test
  void aResultThatComesTooLateLeavesNoFile() {
    store.insert(List.of(Emails.withPayload(SMALL)));
    Claim claim = store.beginDelivery(Emails.claim(store, State.ACCEPTED)).get(0);
    Completion retry = Completion.retry(claim, Duration.ZERO, OutcomeDetails.NONE, LARGE);
    store.complete(List.of(Completion.released(claim, Duration.ZERO, OutcomeDetails.NONE)));
    Emails.claim(store, State.ACCEPTED);

    store.complete(List.of(retry));

    assertThat(files()).isEmpty();
  }

  @Test
  void whatACrashLeftBehindIsSweptAfterADay() throws IOException {
    NewEmail waiting = Emails.withPayload(LARGE);
    store.insert(List.of(waiting));
    ContentDirectory directory = ContentDirectory.at(files);
    String orphan =
        directory.save(EmailId.next(), dev.outbox.content.LargeContent.Kind.PAYLOAD, LARGE);
    String young =
        directory.save(EmailId.next(), dev.outbox.content.LargeContent.Kind.PAYLOAD, LARGE);
    for (Path file : files()) {
      if (!file.endsWith(young)) {
        Files.setLastModifiedTime(
            file, FileTime.from(Instant.now().minus(PruneOperations.ORPHAN_AGE.plusMinutes(1))));
      }
    }

    store.prune(RetentionSettings.DEFAULT, 10);

    assertThat(files()).hasSize(2).noneMatch(file -> file.endsWith(orphan));
    assertThat(content(waiting.id()).payload()).isEqualTo(LARGE);
  }

  @Test
  void anEmailWhoseFileCannotBeSeenIsClaimedWithoutContent() throws IOException {
    store.insert(List.of(Emails.withPayload(LARGE)));
    for (Path file : files()) {
      Files.delete(file);
    }

    assertThat(Emails.claim(store, State.ACCEPTED))
        .singleElement()
        .satisfies(claim -> assertThat(claim.content()).isNull());
  }

  @Test
  void anEmailWhoseFileIsALinkIsClaimedWithoutContentAndStopsNoOther() throws IOException {
    NewEmail linked = Emails.withPayload(LARGE);
    store.insert(List.of(linked));
    Path file = files().get(0);
    Path secret = Files.writeString(folder.resolve("secret"), "secret");
    Files.delete(file);
    Files.createSymbolicLink(file, secret);
    NewEmail other = Emails.withPayload(LARGE);
    store.insert(List.of(other));

    assertThat(store.find(linked.id()).orElseThrow().content()).isNull();
    try (LogLines log = new LogLines(ContentStorage.class)) {
      assertThat(Emails.claim(store, State.ACCEPTED))
          .extracting(Claim::id, Claim::content)
          .containsExactlyInAnyOrder(
              tuple(linked.id(), null), tuple(other.id(), new StoredContent(LARGE, null)));
      assertThat(log.messages(Level.WARNING))
          .singleElement()
          .asString()
          .contains(linked.id() + ": a file of its content is missing or cannot be read");
    }
  }

  @Test
  void withoutADirectoryTooMuchIsRefused() {
    Bytes huge = Bytes.owned(new byte[ContentStorage.ROW_LIMIT + 1]);
    try (MySqlStore plain = MySqlStore.inMemory("refused")) {
      assertThatThrownBy(() -> plain.insert(List.of(Emails.plain(), Emails.withPayload(huge))))
          .isInstanceOf(InvalidEmailException.class)
          .hasMessageContaining("attachments")
          .hasMessageContaining("8 MiB");
      assertThat(plain.stats()).isEmpty();
    }
  }

  private static NewEmail keyed() {
    NewEmail plain = Emails.withPayload(LARGE);
    return new NewEmail(
        plain.id(),
        plain.addressesAndSubject(),
        plain.priority(),
        plain.template(),
        plain.tags(),
        plain.requestId(),
        plain.callbackUrl(),
        new IdempotencyKey(Sha256.of("order-42"), Sha256.of("content")),
        plain.sendAt(),
        plain.lifetime(),
        plain.payload());
  }

  private StoredContent content(EmailId id) {
    StoredContent content = store.find(id).orElseThrow().content();
    assertThat(content).isNotNull();
    return content;
  }

  private List<Path> files() {
    try (Stream<Path> all = Files.walk(files)) {
      return all.filter(Files::isRegularFile).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
