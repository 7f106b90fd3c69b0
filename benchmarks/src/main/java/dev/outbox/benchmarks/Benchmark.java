package dev.outbox.benchmarks;

import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Measures this library end to end against plain JDBC with bare sockets, and against peers, all in
 * one run on the same MariaDB and the same sink.
 *
 * <p>Arguments: {@code --quick} (a few minutes, the default), {@code --growth} (large tables and a
 * large backlog alone) or {@code --full} (both); then a name for the files in {@code
 * docs/performance}. Ends with 1 if a target is missed. The system property {@code backlog} sets
 * how many emails a JVM with a small heap has to drain.
 */
public final class Benchmark {

  private static final Logger ROOT = Logger.getLogger("");
  private static final List<String> MODES = List.of("--quick", "--growth", "--full");
  private static final int[] LOG_ROWS = {0, 100_000, 1_000_000, 5_000_000};
  private static final int BACKLOG = Integer.getInteger("backlog", 5_000_000);
  private static final int ROUNDS = 3;
  private static final int EMAILS = 60_000;

  private Benchmark() {}

  /** Runs everything that the mode asks for. */
  public static void main(String[] args) throws Exception {
    ROOT.setLevel(Level.WARNING);
    String mode = args.length > 0 ? args[0] : "--quick";
    if (!MODES.contains(mode)) {
      throw new IllegalArgumentException("want one of " + MODES + ", is " + mode);
    }
    boolean met = run(mode, args.length > 1 ? args[1] : mode.substring(2));
    // Peers leave threads of their own behind.
    System.exit(met ? 0 : 1);
  }

  private static boolean run(String mode, String name) throws Exception {
    Measurements measurements = new Measurements();
    Report report = new Report(measurements);
    try (DatabaseServer server = DatabaseServer.start();
        SinkProcess sink = SinkProcess.start()) {
      BenchmarkEnvironment environment =
          new BenchmarkEnvironment(server, sink.port(), measurements, ROUNDS, EMAILS);
      environment.say("MariaDB and the sink are up");
      if (!mode.equals("--growth")) {
        new DrainComparison(environment).run();
        new SendComparison(environment, Competitors.floor("floor", server, NoOpMailClient::new))
            .run();
        new Latency(environment).run();
        report.addComparison();
      }
      if (!mode.equals("--quick")) {
        new TableGrowthBenchmark(environment, LOG_ROWS).run();
        BacklogDrain.inSmallHeap(environment, BACKLOG);
        report.addGrowth(LOG_ROWS[LOG_ROWS.length - 1]);
      }
    }
    System.out.println();
    System.out.println(report);
    report.writeTo(Path.of("docs", "performance"), name);
    return report.isMet();
  }
}
