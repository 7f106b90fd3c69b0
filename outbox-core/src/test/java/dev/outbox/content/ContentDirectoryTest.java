package dev.outbox.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.outbox.content.LargeContent.Kind;
import dev.outbox.content.LargeContent.Saved;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContentDirectoryTest {

  private static final Bytes CONTENT = Bytes.utf8("{\"order\": 42}");

  @TempDir Path root;

  @Test
  void whatWasSavedIsReadBack() {
    ContentDirectory directory = ContentDirectory.at(root.resolve("new"));
    String name = directory.save(EmailId.next(), Kind.PAYLOAD, CONTENT);

    assertThat(name).hasSizeLessThanOrEqualTo(100).endsWith(".json");
    assertThat(directory.load(name)).contains(CONTENT);
    assertThat(ContentDirectory.at(root.resolve("new")).load(name)).contains(CONTENT);
  }

  @Test
  void twoSavesOfOneEmailDoNotOverwriteEachOther() {
    ContentDirectory directory = ContentDirectory.at(root);
    EmailId id = EmailId.next();

    String first = directory.save(id, Kind.COMPOSED, CONTENT);
    String second = directory.save(id, Kind.COMPOSED, Bytes.utf8("other"));

    assertThat(first).isNotEqualTo(second).endsWith(".eml");
    assertThat(directory.load(first)).contains(CONTENT);
  }

  @Test
  void anInterruptedCallerLearnsThatItWasInterrupted() {
    ContentDirectory directory = ContentDirectory.at(root);

    Thread.currentThread().interrupt();
    StoreException thrown =
        catchThrowableOfType(
            StoreException.class, () -> directory.save(EmailId.next(), Kind.PAYLOAD, CONTENT));

    assertThat(Thread.interrupted()).as("the interrupt flag is kept").isTrue();
    assertThat(thrown.reason()).isEqualTo(StoreException.Reason.INTERRUPTED);
    assertThat(thrown).hasMessageEndingWith("the calling thread was interrupted");
  }

  @Test
  void whatWasDeletedCannotBeSeen() {
    ContentDirectory directory = ContentDirectory.at(root);
    String name = directory.save(EmailId.next(), Kind.PAYLOAD, CONTENT);

    directory.delete(name);
    directory.delete(name);

    assertThat(directory.load(name)).isEmpty();
  }

  @Test
  void deleteAllRemovesEveryFileOfAnEmailAndNoOther() throws IOException {
    ContentDirectory directory = ContentDirectory.at(root);
    EmailId id = EmailId.next();
    String payload = directory.save(id, Kind.PAYLOAD, CONTENT);
    directory.save(id, Kind.COMPOSED, CONTENT);
    Path unfinished = root.resolve(payload + ".tmp");
    Files.write(unfinished, new byte[1]);
    EmailId other = sameFolder(id);
    String kept = directory.save(other, Kind.PAYLOAD, CONTENT);

    directory.deleteAll(id);
    directory.deleteAll(EmailId.next());

    try (Stream<Path> files = Files.walk(root).filter(Files::isRegularFile)) {
      assertThat(files).containsExactly(root.resolve(kept));
    }
  }

  private static EmailId sameFolder(EmailId id) {
    String text = id.toString();
    String end = text.substring(text.length() - 2);
    return Stream.generate(EmailId::next)
        .filter(other -> other.toString().endsWith(end))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void nothingIsLeftUnderAnotherName() throws IOException {
    ContentDirectory directory = ContentDirectory.at(root);
    String name = directory.save(EmailId.next(), Kind.PAYLOAD, CONTENT);

    try (Stream<Path> files = Files.walk(root)) {
      assertThat(files.filter(Files::isRegularFile)).containsExactly(root.resolve(name));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../secret",
        "/etc/passwd",
        "ab/../../secret.json",
        "ab/secret.json",
        "",
        "ab/0192c6a0-0000-7000-8000-000000000000-0123456789abcdef.json/../x"
      })
  void aNameThatWasNotMadeHereIsRefused(String name) throws IOException {
    Files.writeString(root.resolveSibling("secret"), "secret");
    ContentDirectory directory = ContentDirectory.at(root);

    assertThatThrownBy(() -> directory.load(name)).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> directory.delete(name)).isInstanceOf(StoreException.class);
  }

  @Test
  void onlyOldFilesOfOursAreListed() throws IOException {
    ContentDirectory directory = ContentDirectory.at(root);
    EmailId id = EmailId.next();
    String old = directory.save(id, Kind.PAYLOAD, CONTENT);
    directory.save(EmailId.next(), Kind.PAYLOAD, CONTENT);
    Files.writeString(root.resolve("readme.txt"), "the host's own");
    FileTime longAgo = FileTime.from(Instant.now().minus(Duration.ofDays(2)));
    Files.setLastModifiedTime(root.resolve(old), longAgo);
    Files.setLastModifiedTime(root.resolve("readme.txt"), longAgo);

    assertThat(olderThan(directory, Duration.ofDays(1))).containsExactly(new Saved(id, old));
    assertThat(olderThan(directory, Duration.ofDays(3))).isEmpty();
  }

  private static List<Saved> olderThan(ContentDirectory directory, Duration age) {
    List<Saved> found = new ArrayList<>();
    directory.olderThan(age, found::add);
    return found;
  }

  @Test
  void aFileInItsPlaceIsNoDirectory() throws IOException {
    Path file = Files.writeString(root.resolve("file"), "");

    assertThatThrownBy(() -> ContentDirectory.at(file))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("content directory");
  }
}
