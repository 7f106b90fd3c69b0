package dev.outbox.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemplateDirectoryTest {

  @TempDir Path directory;

  @Test
  void aLinkOutOfTheDirectoryIsRefused() throws Exception {
    Path secret = Files.writeString(directory.resolve("secret.txt"), "secret");
    Folder folder = new Folder(directory.resolve("mail")).with("t.txt.mustache", "");
    Files.createSymbolicLink(folder.path().resolve("s.txt.mustache"), secret);

    assertThatThrownBy(folder::templates)
        .isExactlyInstanceOf(TemplateException.class)
        .hasMessage("s.txt.mustache: is a link that leads out of the directory");
  }

  @Test
  void aLinkedFolderOutOfTheDirectoryIsRefusedBeforeItIsWalked() throws Exception {
    new Folder(directory.resolve("other")).with("deep/s.txt.mustache", "secret");
    Folder folder = new Folder(directory.resolve("mail")).with("t.txt.mustache", "");
    Files.createSymbolicLink(folder.path().resolve("sub"), directory.resolve("other"));

    assertThatThrownBy(folder::templates)
        .hasMessage("sub: is a link that leads out of the directory");
  }

  @Test
  void aFolderWhoseNameOnlyStartsLikeTheDirectorysIsOutside() throws Exception {
    new Folder(directory.resolve("mail-secret")).with("s.txt.mustache", "secret");
    Folder folder = new Folder(directory.resolve("mail")).with("t.txt.mustache", "");
    Files.createSymbolicLink(
        folder.path().resolve("s.txt.mustache"), Path.of("..", "mail-secret", "s.txt.mustache"));

    assertThatThrownBy(folder::templates).hasMessageContaining("leads out of the directory");
  }

  @Test
  void aMountedVolumeOfKubernetesIsRead() throws Exception {
    Folder folder = new Folder(directory.resolve("mail"));
    folder.with("..2026_01_01/t.txt.mustache", "{{a}}");
    Files.createSymbolicLink(folder.path().resolve("..data"), Path.of("..2026_01_01"));
    Files.createSymbolicLink(
        folder.path().resolve("t.txt.mustache"), Path.of("..data", "t.txt.mustache"));

    assertThat(folder.templates().names()).containsExactly("t");
    assertThat(folder.text(Map.of("a", 1))).isEqualTo("1");
  }

  @Test
  void theDirectoryItselfMayBeALink() throws Exception {
    new Folder(directory.resolve("real")).with("t.txt.mustache", "x");
    Path link = Files.createSymbolicLink(directory.resolve("mail"), directory.resolve("real"));

    assertThat(Templates.directory(link).names()).containsExactly("t");
  }

  @Test
  void aLinkBackToTheTopIsRefused() throws Exception {
    Folder folder = new Folder(directory.resolve("mail")).with("t.txt.mustache", "");
    Files.createSymbolicLink(folder.path().resolve("again"), folder.path());

    assertThatThrownBy(folder::templates)
        .hasMessage("again: cannot be read: FileSystemLoopException");
  }

  @Test
  void aDanglingLinkIsRefusedUnlessHidden() throws Exception {
    Folder folder = new Folder(directory.resolve("mail")).with("t.txt.mustache", "");
    Files.createSymbolicLink(folder.path().resolve(".#t.txt.mustache"), Path.of("nowhere"));
    assertThat(folder.templates().names()).containsExactly("t");

    Files.createSymbolicLink(folder.path().resolve("u.txt.mustache"), Path.of("nowhere"));
    assertThatThrownBy(folder::templates)
        .isExactlyInstanceOf(TemplateException.class)
        .hasMessage("u.txt.mustache: is not a file");
  }
}
