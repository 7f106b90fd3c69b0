package dev.outbox.verification.chaos;

import dev.outbox.testsupport.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A process of the chaos program: what it logs goes to a file, what it answers is kept. */
final class ChildProcess {

  private final ChildJvm process;
  private final Consumer<String> notes;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition heard = lock.newCondition();
  private final List<String> answers = new ArrayList<>();
  private boolean over;
  private volatile boolean up;

  private ChildProcess(ChildJvm process, Path log, Consumer<String> notes) {
    this.process = process;
    this.notes = notes;
    Thread reader = new Thread(() -> read(log), "child-output");
    reader.setDaemon(true);
    reader.start();
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
    List<String> all = new ArrayList<>();
    all.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
    all.add("-Dlogback.configurationFile=chaos-logback.xml");
    all.addAll(options);
    return new ChildProcess(ChildJvm.startPiped(all, environment, main, arguments), log, notes);
  }

  private void read(Path log) {
    try (BufferedReader lines = process.lines();
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
    process.tell(order);
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
    process.signal(name);
  }

  /** Ends it as {@code kill -9} does, and waits until it is gone. */
  void kill() {
    process.kill();
  }

  /** Ends its input, after which a node that was closed ends by itself. */
  void hangUp() {
    process.closeInput();
  }

  boolean awaitEnd(Duration patience) {
    return process.awaitEnd(patience);
  }
}
