package dev.outbox.mysql;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Another Java process with this one's class path, which lives until it ends by itself, is killed,
 * or this test is over.
 */
final class ChildJvm implements AutoCloseable {

  private static final int PATIENCE_SECONDS = 60;

  private final Process process;
  private final Path output;

  private ChildJvm(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  static ChildJvm start(Class<?> main, String... arguments) {
    return start(List.of(), main, arguments);
  }

  static ChildJvm start(List<String> options, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    String logging = System.getProperty("java.util.logging.config.file");
    if (logging != null) {
      command.add("-Djava.util.logging.config.file=" + logging);
    }
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    try {
      Path output = Files.createTempFile("outbox-child", ".txt");
      output.toFile().deleteOnExit();
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      return new ChildJvm(process, output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until it has ended, and returns its exit code. */
  int awaitEnd() {
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("still running: " + said());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** Lets it read something from its standard input. */
  void nudge() {
    try {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends it as {@code kill -9} does, and waits until it is gone. */
  void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Returns what it has printed. */
  String said() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    kill();
  }
}
