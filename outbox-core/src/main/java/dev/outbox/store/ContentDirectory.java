package dev.outbox.store;

import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
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
 * Safe for use by many threads and processes.
 */
public final class ContentDirectory implements LargeContent {

  private static final String UUID_TEXT = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";
  private static final Pattern NAME =
      Pattern.compile("[0-9a-f]{2}/" + UUID_TEXT + "-[0-9a-f]{16}\\.(json|eml)(\\.tmp)?");

  private final Path root;

  private ContentDirectory(Path root) {
    this.root = root;
  }

  /**
   * Opens a directory, and makes it if it is not there.
   *
   * @throws StoreException if it cannot be written to
   */
  public static ContentDirectory at(Path directory) {
    try {
      Path root = Files.createDirectories(directory).toRealPath();
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
    String text = id.toString();
    String name =
        "%s/%s-%016x.%s"
            .formatted(
                text.substring(text.length() - 2),
                text,
                UUID.randomUUID().getLeastSignificantBits(),
                kind == Kind.PAYLOAD ? "json" : "eml");
    Path file = inside(name);
    Path temporary = inside(name + ".tmp");
    try {
      Path folder = Files.createDirectories(root.resolve(name).getParent());
      write(temporary, content);
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
      sync(folder);
      return name;
    } catch (IOException e) {
      deleteQuietly(temporary);
      throw failed("content of " + id + " could not be saved", e);
    }
  }

  /** An interrupt of the calling thread closes its file, which says nothing about the disk. */
  private static StoreException failed(String what, IOException cause) {
    return cause instanceof ClosedByInterruptException
        ? new StoreException(
            StoreException.Reason.INTERRUPTED, what + ": the calling thread was interrupted", cause)
        : new StoreException(StoreException.Reason.UNAVAILABLE, what, cause);
  }

  private static void write(Path file, Bytes content) throws IOException {
    try (FileChannel channel =
            FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
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

  @Override
  public void delete(String name) {
    try {
      Files.deleteIfExists(inside(name));
    } catch (IOException e) {
      throw failed("content could not be removed: " + name, e);
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
    return root.resolve(name);
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
