package dev.outbox.verification.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A wall clock for one process that jumps while the process runs: libfaketime, which reads its
 * offset from a file. The monotonic clock goes on as it was.
 */
final class JumpingClock {

  private static final List<Path> LIBRARIES =
      List.of(
          Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"),
          Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"));

  static final Duration HOUR = Duration.ofHours(1);

  private final Path offset;

  JumpingClock(Path offset) {
    this.offset = offset;
    set("+0");
  }

  static Optional<Path> library() {
    return LIBRARIES.stream().filter(Files::exists).findFirst();
  }

  /** Returns what a process must find in its environment. */
  Map<String, String> environment() {
    return library()
        .map(
            found ->
                Map.of(
                    "LD_PRELOAD", found.toString(),
                    "FAKETIME_TIMESTAMP_FILE", offset.toString(),
                    "FAKETIME_CACHE_DURATION", "1",
                    "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                    "DONT_FAKE_MONOTONIC", "1"))
        .orElse(Map.of());
  }

  void set(String text) {
    try {
      Files.writeString(offset, text + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
