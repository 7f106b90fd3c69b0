package dev.outbox.content;

import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.store.StoreException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A directory for large content, on a disk that all nodes share: {@code 3f/<id>-<random>.json} for
 * payloads and {@code .eml} for composed messages.
 *
 * <p>A file is written under another name, synced and renamed, so that whoever sees it sees all of
 * it. Names that were not made here are refused, so that no row can point out of the directory.
 * Folders and files that are symbolic links are refused, too. Folders and files are readable by the
 * user of the process only ({@link PrivateFiles}), so that all nodes have to run as the same user.
 * Safe for use by many threads and processes.
 */
public final class ContentDirectory implements LargeContent {

  private static final String UUID_TEXT = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";
  private static final Pattern NAME =
      Pattern.compile("[0-9a-f]{2}/" + UUID_TEXT + "-[0-9a-f]{16}\\.(json|eml)(\\.tmp)?");

  private static final String FOLDERS = "[0-9a-f][0-9a-f]";

  private final Path root;

  private ContentDirectory(Path root) {
    this.root = root;
  }

  /**
   * Opens a directory, and makes it if it is not there. The directory may be a symbolic link, which
   * is resolved now.
   *
   * @throws StoreException if it cannot be written to
   */
  public static ContentDirectory at(Path directory) {
    try {
      Path root = PrivateFiles.createDirectories(directory).toRealPath();
      PrivateFiles.warnIfOpen(root);
      if (!Files.isWritable(root)) {
        throw new StoreException(
            StoreException.Reason.MISCONFIGURED, "content directory: not writable", null);
      }
      return new ContentDirectory(root);
    } catch (IOException e) {
      throw new StoreException(
          StoreException.Reason.UNAVAILABLE, "content directory: cannot be opened", e);
    }
  }

  @Override
  public String save(EmailId id, Kind kind, Bytes content) {
    String name =
        "%s/%s-%016x.%s"
            .formatted(
                folderName(id),
                id,
                UUID.randomUUID().getLeastSignificantBits(),
                kind == Kind.PAYLOAD ? "json" : "eml");
    Path file = inside(name);
    Path temporary = inside(name + ".tmp");
    try {
      Path folder = PrivateFiles.createDirectories(folder(name.substring(0, 2)));
      write(temporary, content);
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
      sync(folder);
      return name;
    } catch (IOException e) {
      deleteQuietly(temporary);
      throw failed("content of " + id + " could not be saved", e);
    }
  }

  private static String folderName(EmailId id) {
    String text = id.toString();
    return text.substring(text.length() - 2);
  }

  /** An interrupt of the calling thread closes its file, which says nothing about the disk. */
  private static StoreException failed(String what, IOException cause) {
    return cause instanceof ClosedByInterruptException
        ? new StoreException(
            StoreException.Reason.INTERRUPTED, what + ": the calling thread was interrupted", cause)
        : new StoreException(StoreException.Reason.UNAVAILABLE, what, cause);
  }

  private static void write(Path file, Bytes content) throws IOException {
    try (FileChannel channel = PrivateFiles.createFile(file);
        OutputStream out = Channels.newOutputStream(channel)) {
      content.writeTo(out);
      channel.force(true);
    }
  }

  /** Makes a new name in a folder durable. */
  private static void sync(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public Optional<Bytes> load(String name) {
    try {
      return Optional.of(Bytes.owned(Files.readAllBytes(inside(name))));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw failed("content could not be read: " + name, e);
    }
  }

  /**
   * Returns whether the directory and at least one of its folders can be listed. A directory
   * without folders counts as unavailable: it is probably the mount point of a disk that is not
   * mounted.
   */
  @Override
  public boolean isAvailable() {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(root, FOLDERS)) {
      for (Path folder : folders) {
        if (isListable(folder)) {
          return true;
        }
      }
      return false;
    } catch (IOException | DirectoryIteratorException e) {
      return false;
    }
  }

  private static boolean isListable(Path folder) {
    if (Files.isSymbolicLink(folder)) {
      return false;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      boolean unused = files.iterator().hasNext();
      return true;
    } catch (IOException | DirectoryIteratorException e) {
      return false;
    }
  }

  @Override
  public void delete(String name) {
    try {
      Files.deleteIfExists(inside(name));
    } catch (IOException e) {
      throw failed("content could not be removed: " + name, e);
    }
  }

  @Override
  public void deleteAll(EmailId id) {
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(folder(folderName(id)), id + "-*")) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    } catch (NoSuchFileException e) {
      // Nothing was ever saved in this folder.
      return;
    } catch (IOException | DirectoryIteratorException e) {
      throw new StoreException(
          StoreException.Reason.UNAVAILABLE, "content of " + id + " could not be removed", e);
    }
  }

  @Override
  public void olderThan(Duration age, Consumer<Saved> each) {
    FileTime bound = FileTime.from(Instant.now().minus(age));
    try (Stream<Path> old =
        Files.find(root, 2, (file, facts) -> facts.isRegularFile() && isBefore(facts, bound))) {
      old.map(file -> root.relativize(file).toString().replace('\\', '/'))
          .filter(name -> NAME.matcher(name).matches())
          .map(name -> new Saved(EmailId.parse(name.substring(3, 39)), name))
          .forEach(each);
    } catch (IOException e) {
      throw new StoreException(
          StoreException.Reason.UNAVAILABLE, "content directory: cannot be listed", e);
    }
  }

  private static boolean isBefore(BasicFileAttributes facts, FileTime bound) {
    return facts.lastModifiedTime().compareTo(bound) < 0;
  }

  private Path inside(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new StoreException(
          StoreException.Reason.MISCONFIGURED,
          "content: a name that was not made by this library",
          null);
    }
    return notALink(folder(name.substring(0, 2)).resolve(name.substring(3)));
  }

  private Path folder(String name) {
    return notALink(root.resolve(name));
  }

  /** Rejects a symbolic link, behind which another directory would be read, written or emptied. */
  private Path notALink(Path path) {
    if (Files.isSymbolicLink(path)) {
      throw new StoreException(
          StoreException.Reason.MISCONFIGURED,
          "content directory: %s is a symbolic link, and links are not followed"
              .formatted(root.relativize(path)),
          null);
    }
    return path;
  }

  private static void deleteQuietly(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // Swept by its age later.
      return;
    }
  }
}
