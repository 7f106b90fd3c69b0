package dev.outbox.verification.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Another Java process with this one's class path, whose output goes to a file. */
final class ChildProcess {

  private static final Set<ChildProcess> ALIVE = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> ALIVE.forEach(each -> each.process.destroyForcibly()), "children"));
  }

  private final Process process;
  private final Consumer<String> notes;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition heard = lock.newCondition();
  private final List<String> answers = new ArrayList<>();
  private boolean over;
  private volatile boolean up;

  private ChildProcess(Process process, Path log, Consumer<String> notes) {
    this.process = process;
    this.notes = notes;
    Thread reader = new Thread(() -> read(log), "child-output");
    reader.setDaemon(true);
    reader.start();
    ALIVE.add(this);
  }

  /**
   * Starts one.
   *
   * @param notes takes what it reports without being asked: stalls and failed sends
   */
  static ChildProcess start(
      Path log,
      Consumer<String> notes,
      List<String> options,
      Map<String, String> environment,
      Class<?> main,
      String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
    command.add("-Dlogback.configurationFile=chaos-logback.xml");
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    try {
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().putAll(environment);
      return new ChildProcess(builder.start(), log, notes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read(Path log) {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        Writer file =
            Files.newBufferedWriter(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(Order.ANSWER)) {
          hear(line.substring(Order.ANSWER.length()));
        } else {
          file.write(line + "\n");
        }
      }
    } catch (IOException e) {
      // It was killed in the middle of a line.
      return;
    } finally {
      ALIVE.remove(this);
      lock.lock();
      try {
        over = true;
        heard.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  private void hear(String answer) {
    up |= answer.equals(Order.UP);
    if (answer.startsWith(Order.STALLED) || answer.startsWith(Order.FAILED)) {
      notes.accept(answer);
      return;
    }
    lock.lock();
    try {
      answers.add(answer);
      heard.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for an answer that begins with a word; null if it ended, or did not answer in time. */
  @Nullable String await(String word, Duration patience) {
    lock.lock();
    try {
      long left = patience.toNanos();
      while (true) {
        for (String answer : answers) {
          if (answer.startsWith(word)) {
            answers.remove(answer);
            return answer;
          }
        }
        if (over || left <= 0) {
          return null;
        }
        left = heard.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    } finally {
      lock.unlock();
    }
  }

  void tell(String order) {
    try {
      process.getOutputStream().write((order + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      // It is gone, which whoever waits for its answer will notice.
      return;
    }
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Returns whether it has begun its work. */
  boolean isUp() {
    return up && process.isAlive();
  }

  /** Sends a signal by its name, as {@code STOP}. */
  void signal(String name) {
    try {
      new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends it as {@code kill -9} does, and waits until it is gone. */
  void kill() {
    process.destroyForcibly();
    awaitEnd(Duration.ofSeconds(30));
  }

  /** Ends its input, after which a node that was closed ends by itself. */
  void hangUp() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It is gone already.
      return;
    }
  }

  boolean awaitEnd(Duration patience) {
    try {
      return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
