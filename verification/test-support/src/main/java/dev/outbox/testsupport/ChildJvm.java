package dev.outbox.testsupport;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Another Java process with this one's class path, which lives until it ends by itself, is killed,
 * or this JVM ends.
 */
public final class ChildJvm implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Set<ChildJvm> STARTED = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> STARTED.forEach(each -> each.process.destroyForcibly()), "children"));
  }

  private final Process process;
  private final @Nullable Path output;

  private ChildJvm(Process process, @Nullable Path output) {
    this.process = process;
    this.output = output;
    STARTED.add(this);
  }

  /** Starts a program whose output {@link #said()} returns. */
  public static ChildJvm start(Class<?> main, String... arguments) {
    return start(List.of(), main, arguments);
  }

  /** Starts a program with options of its JVM; {@link #said()} returns its output. */
  public static ChildJvm start(List<String> options, Class<?> main, String... arguments) {
    List<String> all = new ArrayList<>();
    all.add("-XX:TieredStopAtLevel=1");
    String logging = System.getProperty("java.util.logging.config.file");
    if (logging != null) {
      all.add("-Djava.util.logging.config.file=" + logging);
    }
    all.addAll(options);
    try {
      Path output = Files.createTempFile("outbox-child", ".txt");
      output.toFile().deleteOnExit();
      return new ChildJvm(
          new ProcessBuilder(JavaCommand.of(all, main, arguments))
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start(),
          output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Starts a program whose output the caller has to read from {@link #lines()}.
   *
   * @param options options of the JVM; no others are added
   * @param environment variables to add to those of this process
   */
  public static ChildJvm startPiped(
      List<String> options, Map<String, String> environment, Class<?> main, String... arguments) {
    ProcessBuilder builder =
        new ProcessBuilder(JavaCommand.of(options, main, arguments)).redirectErrorStream(true);
    builder.environment().putAll(environment);
    try {
      return new ChildJvm(builder.start(), null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the output of a process from {@link #startPiped}, errors included. */
  public BufferedReader lines() {
    return process.inputReader(StandardCharsets.UTF_8);
  }

  /** Returns what a process from {@link #start} has printed so far, errors included. */
  public String said() {
    try {
      return Files.readString(Objects.requireNonNull(output, "its output is read from lines()"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a line to its standard input; does nothing if the process has ended. */
  public void tell(String line) {
    try {
      process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      // The process has ended, which a caller that waits for its answer notices.
      return;
    }
  }

  /** Closes its standard input. */
  public void closeInput() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // The process has ended already.
      return;
    }
  }

  /** Returns its process id. */
  public long pid() {
    return process.pid();
  }

  /** Returns whether it runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Sends a signal by its name, such as {@code STOP}. */
  public void signal(String name) {
    try {
      new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until it has ended, and returns its exit code; fails if that takes a minute. */
  public int awaitEnd() {
    if (!awaitEnd(PATIENCE)) {
      throw new AssertionError(
          "interrupted, or still running" + (output == null ? "" : ": " + said()));
    }
    return process.exitValue();
  }

  /** Waits until it has ended; returns false if it has not in time, or the wait is interrupted. */
  public boolean awaitEnd(Duration patience) {
    try {
      boolean ended = process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
      if (ended) {
        STARTED.remove(this);
      }
      return ended;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Ends it as {@code kill -9} does, and waits until it has ended. */
  public void kill() {
    process.destroyForcibly();
    awaitEnd(PATIENCE);
  }

  @Override
  public void close() {
    kill();
  }
}
