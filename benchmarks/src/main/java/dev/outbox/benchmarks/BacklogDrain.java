package dev.outbox.benchmarks;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * A node in a JVM with a small heap that works off a backlog of any size. {@link #inSmallHeap}
 * starts it.
 */
public final class BacklogDrain {

  private BacklogDrain() {}

  /** Drains; the arguments are the database's port, the sink's and how many emails there are. */
  public static void main(String[] args) {
    DatabaseServer server = DatabaseServer.at(Integer.parseInt(args[0]));
    int smtp = Integer.parseInt(args[1]);
    int emails = Integer.parseInt(args[2]);
    long start = System.nanoTime();
    new OutboxCompetitor("ours", server, () -> Competitors.smtp(smtp), 1).drain(emails);
    System.out.printf(Locale.ROOT, "%.1f%n", emails / ((System.nanoTime() - start) / 1e9));
    System.exit(0);
  }

  static String figure(int emails) {
    return "ours, -Xmx256m, a backlog of %,d: drain/s".formatted(emails);
  }

  /** Stores a backlog, and has it drained by a JVM with 256 MB of heap. */
  static void inSmallHeap(BenchmarkEnvironment environment, int emails) throws Exception {
    environment.say("storing a backlog of %,d".formatted(emails));
    new OutboxCompetitor("ours", environment.server(), NoOpTransport::new, 1).fill(emails);
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m",
                    "-XX:+ExitOnOutOfMemoryError",
                    "-cp",
                    System.getProperty("java.class.path"),
                    BacklogDrain.class.getName(),
                    String.valueOf(environment.server().port()),
                    String.valueOf(environment.smtpPort()),
                    String.valueOf(emails)))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String line = process.inputReader().readLine();
    if (line == null || process.waitFor() != 0) {
      throw new IllegalStateException("a backlog of %d was not drained".formatted(emails));
    }
    environment.figures().add(figure(emails), Double.parseDouble(line));
    environment.say(figure(emails) + " " + line);
  }
}
