package dev.outbox.content;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.content.LargeContent.Kind;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A content directory as a whole is available or not, whatever is wrong with a single file. */
class ContentDirectoryAvailabilityTest {

  @TempDir Path folder;
  private Path root;
  private ContentDirectory directory;
  private Path file;

  @BeforeEach
  void save() {
    root = folder.resolve("content");
    directory = ContentDirectory.at(root);
    file = root.resolve(directory.save(EmailId.next(), Kind.PAYLOAD, Bytes.utf8("{}")));
  }

  @Test
  void aDirectoryWithFilesIsAvailable() {
    assertThat(directory.isAvailable()).isTrue();
  }

  @Test
  void aDirectoryThatHasLostAFileIsAvailable() throws IOException {
    Files.delete(file);

    assertThat(directory.isAvailable()).isTrue();
  }

  @Test
  void aDirectoryThatIsGoneIsUnavailable() throws IOException {
    Files.move(root, folder.resolve("away"));

    assertThat(directory.isAvailable()).isFalse();
  }

  @Test
  void anEmptyMountPointIsUnavailable() throws IOException {
    Files.move(root, folder.resolve("away"));
    Files.createDirectories(root.resolve("lost+found"));

    assertThat(directory.isAvailable()).isFalse();
  }

  @Test
  void aDirectoryWithoutAFolderThatCanBeListedIsUnavailable() throws IOException {
    Files.move(root, folder.resolve("away"));
    Files.createDirectory(root);
    // Stands for a folder without permission, which root could read.
    Files.createFile(root.resolve("3f"));

    assertThat(directory.isAvailable()).isFalse();
  }
}
