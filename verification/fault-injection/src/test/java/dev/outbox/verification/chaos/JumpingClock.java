package dev.outbox.verification.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * A wall clock for one process that jumps while the process runs. A small library, compiled with
 * the machine's C compiler and loaded before the system's own, adds what a file says; the monotonic
 * clock goes on as it was. Without a compiler there is no such clock.
 */
final class JumpingClock {

  static final Duration HOUR = Duration.ofHours(1);

  private final Path library;
  private final Path offset;

  JumpingClock(Path library, Path offset) {
    this.library = library;
    this.offset = offset;
    set(Duration.ZERO);
  }

  /** Compiles the library; returns false if that cannot be done here. */
  static boolean compile(Path library) {
    Path source = library.resolveSibling("clock.c");
    try (InputStream code =
        Objects.requireNonNull(JumpingClock.class.getResourceAsStream("/chaos-clock.c"))) {
      Files.copy(code, source);
      return Command.succeeds(
          "cc", "-shared", "-fPIC", "-O1", "-o", library + "", source + "", "-ldl");
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns what a process must find in its environment. */
  Map<String, String> environment() {
    return Map.of("LD_PRELOAD", library.toString(), "CHAOS_CLOCK", offset.toString());
  }

  void set(Duration ahead) {
    ByteBuffer seconds = ByteBuffer.allocate(8).order(ByteOrder.nativeOrder());
    seconds.putLong(ahead.toSeconds()).flip();
    try (FileChannel file =
        FileChannel.open(offset, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      file.write(seconds, 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
