package dev.outbox.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.content.LargeContent.Kind;
import dev.outbox.content.LargeContent.Saved;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.store.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Other users of the machine can neither read stored content nor redirect it by links. */
class PrivateFilesTest {

  private static final Bytes CONTENT = Bytes.utf8("{\"order\": 42}");
  private static final EmailId ID = EmailId.next();

  @TempDir Path folder;

  @Test
  void onlyTheOwnerCanReadWhatTheContentDirectoryCreates() throws IOException {
    ContentDirectory.at(folder.resolve("data/content")).save(ID, Kind.PAYLOAD, CONTENT);

    try (Stream<Path> all = Files.walk(folder.resolve("data"))) {
      assertThat(all)
          .hasSize(4)
          .allSatisfy(
              path ->
                  assertThat(permissions(path))
                      .as("%s", path)
                      .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------"));
    }
  }

  @Test
  void aNewFileIsPrivateBeforeAnythingIsWritten() throws IOException {
    Path file = folder.resolve("file");

    try (FileChannel channel = PrivateFiles.createFile(file)) {
      assertThat(channel.size()).isZero();
      assertThat(permissions(file)).isEqualTo("rw-------");
    }
    assertThatThrownBy(() -> PrivateFiles.createFile(file))
        .isInstanceOf(FileAlreadyExistsException.class);
  }

  @Test
  void aDirectoryOfTheHostKeepsItsPermissions() throws IOException {
    Path open = Files.createDirectory(folder.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));

    ContentDirectory.at(open).save(ID, Kind.PAYLOAD, CONTENT);

    assertThat(permissions(open)).isEqualTo("rwxr-xr-x");
    try (Stream<Path> all = Files.list(open)) {
      assertThat(all)
          .singleElement()
          .extracting(PrivateFilesTest::permissions)
          .isEqualTo("rwx------");
    }
  }

  @Test
  void aFileLosesThePermissionsOfOthersAndNoneOfItsOwners() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));
    Path readOnly = Files.createFile(folder.resolve("read-only"));
    Files.setPosixFilePermissions(readOnly, PosixFilePermissions.fromString("r--------"));

    PrivateFiles.restrict(file);
    PrivateFiles.restrict(readOnly);

    assertThat(permissions(file)).isEqualTo("rw-------");
    assertThat(permissions(readOnly)).isEqualTo("r--------");
  }

  @Test
  void aFileSystemWithoutPosixPermissionsCanBeUsed() throws IOException {
    try (FileSystem zip =
        FileSystems.newFileSystem(folder.resolve("a.zip"), Map.of("create", "true"))) {
      assertThat(zip.supportedFileAttributeViews()).doesNotContain("posix");
      Path directory = PrivateFiles.createDirectories(zip.getPath("/data/content"));
      PrivateFiles.warnIfOpen(directory);
      Path file = directory.resolve("file");
      try (FileChannel channel = PrivateFiles.createFile(file)) {
        channel.write(ByteBuffer.wrap(CONTENT.toArray()));
      }
      PrivateFiles.restrict(file);

      assertThat(Files.readString(file)).isEqualTo(CONTENT.toUtf8());
    }
  }

  @Test
  void aFolderThatIsALinkIsRejected() throws IOException {
    Path root = folder.resolve("content");
    ContentDirectory directory = ContentDirectory.at(root);
    String name = directory.save(ID, Kind.PAYLOAD, CONTENT);
    assertThat(listed(directory)).hasSize(1);
    Path linked = root.resolve(name.substring(0, 2));
    Path elsewhere = Files.move(linked, folder.resolve("elsewhere"));
    Files.createSymbolicLink(linked, elsewhere);

    String problem =
        "content directory: %s is a symbolic link, and links are not followed"
            .formatted(linked.getFileName());
    assertRejected(problem, () -> directory.load(name));
    assertRejected(problem, () -> directory.delete(name));
    assertRejected(problem, () -> directory.save(ID, Kind.PAYLOAD, CONTENT));
    assertRejected(problem, () -> directory.deleteAll(ID));

    assertThat(directory.isAvailable()).as("available with only a link in it").isFalse();
    assertThat(listed(directory)).isEmpty();
    try (Stream<Path> files = Files.list(elsewhere)) {
      assertThat(files).as("files behind the link").hasSize(1);
    }
  }

  @Test
  void aFileThatIsALinkIsRejected() throws IOException {
    Path root = folder.resolve("content");
    ContentDirectory directory = ContentDirectory.at(root);
    String name = directory.save(ID, Kind.PAYLOAD, CONTENT);
    Path secret = Files.writeString(folder.resolve("secret"), "secret");
    Files.delete(root.resolve(name));
    Files.createSymbolicLink(root.resolve(name), secret);

    String problem = "content directory: " + name + " is a symbolic link";
    assertRejected(problem, () -> directory.load(name));
    assertRejected(problem, () -> directory.delete(name));

    assertThat(listed(directory)).isEmpty();
    assertThat(secret).exists();
  }

  @Test
  void theDirectoryItselfMayBeALink() throws IOException {
    Path target = Files.createDirectory(folder.resolve("disk"));
    Path link = Files.createSymbolicLink(folder.resolve("content"), target);

    ContentDirectory directory = ContentDirectory.at(link);
    String name = directory.save(ID, Kind.PAYLOAD, CONTENT);

    assertThat(directory.load(name)).contains(CONTENT);
    assertThat(target.resolve(name)).exists();
  }

  private static void assertRejected(String problem, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StoreException.class,
            e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.MISCONFIGURED))
        .hasMessageStartingWith(problem);
  }

  private static List<Saved> listed(ContentDirectory directory) {
    List<Saved> found = new ArrayList<>();
    directory.olderThan(Duration.ofHours(-1), found::add);
    return found;
  }

  private static String permissions(Path path) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
