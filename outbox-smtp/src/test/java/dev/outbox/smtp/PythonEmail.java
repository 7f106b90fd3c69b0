package dev.outbox.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** A message as Python's email package reads it, by {@code read_message.py}. */
final class PythonEmail {

  private PythonEmail() {}

  /** Returns the lines of {@code read_message.py}. */
  static List<String> read(byte[] message, Path folder) throws IOException, InterruptedException {
    Path input = Files.write(folder.resolve("message.eml"), message);
    Path output = folder.resolve("lines.txt");
    Process python = start(input, output);
    try {
      assertThat(python.waitFor(60, TimeUnit.SECONDS)).as("python3 ended in time").isTrue();
      String lines = Files.readString(output);
      assertThat(python.exitValue()).as(lines).isZero();
      return lines.lines().toList();
    } finally {
      python.destroyForcibly();
    }
  }

  private static Process start(Path input, Path output) {
    try {
      return new ProcessBuilder("python3", "-I", script().toString())
          .redirectErrorStream(true)
          .redirectInput(input.toFile())
          .redirectOutput(output.toFile())
          .start();
    } catch (IOException e) {
      throw new AssertionError(
          "This test compares our messages with what Python reads in them and needs python3 on the"
              + " PATH, 3.6 or newer (Debian: apt-get install python3). See CONTRIBUTING.md.",
          e);
    }
  }

  private static Path script() {
    try {
      return Path.of(
          Objects.requireNonNull(PythonEmail.class.getResource("/read_message.py")).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
