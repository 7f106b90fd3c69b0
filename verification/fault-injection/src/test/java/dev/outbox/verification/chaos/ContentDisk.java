package dev.outbox.verification.chaos;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The disk of the content directory: a small file system in memory, which fills up quickly. Where
 * this program may not mount one, it is an ordinary directory that never gets full.
 */
final class ContentDisk implements AutoCloseable {

  private static final String SIZE = "size=96m";

  private final Path directory;
  private final boolean mounted;

  ContentDisk(Path directory) {
    this.directory = directory;
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.mounted =
        Command.succeeds("mount", "-t", "tmpfs", "-o", SIZE, "chaos", directory.toString());
    if (mounted) {
      Runtime.getRuntime().addShutdownHook(new Thread(this::close, "unmount"));
    }
  }

  Path directory() {
    return directory;
  }

  /** Returns whether it can be filled up. */
  boolean isLimited() {
    return mounted;
  }

  void fill() {
    byte[] zeros = new byte[4 << 10];
    try (OutputStream filler = Files.newOutputStream(directory.resolve("filler"))) {
      while (true) {
        filler.write(zeros);
      }
    } catch (IOException e) {
      // Full.
      return;
    }
  }

  void free() {
    try {
      Files.deleteIfExists(directory.resolve("filler"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    if (mounted) {
      Command.succeeds("umount", "-l", directory.toString());
    }
  }
}
