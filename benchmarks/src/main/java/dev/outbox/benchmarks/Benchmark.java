package dev.outbox.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Measures this library end to end against plain JDBC with bare sockets, and against peers, all in
 * one run on the same MariaDB and the same sink.
 *
 * <p>Arguments: {@code --quick} (a few minutes, the default) or {@code --full} (large tables too);
 * then a name for the files in {@code docs/performance}. Ends with 1 if a target is missed.
 */
public final class Benchmark {

  private static final Logger ROOT = Logger.getLogger("");
  private static final int[] LOG_ROWS = {0, 100_000, 1_000_000, 5_000_000};

  private static final int BACKLOG = Integer.getInteger("backlog", 5_000_000);

  private Benchmark() {}

  /** Runs everything. */
  public static void main(String[] args) throws Exception {
    ROOT.setLevel(Level.WARNING);
    boolean full = args.length > 0 && args[0].equals("--full");
    if (args.length > 0 && !full && !args[0].equals("--quick")) {
      throw new IllegalArgumentException("want --quick or --full, is " + args[0]);
    }
    String name = args.length > 1 ? args[1] : full ? "full" : "quick";
    boolean met = run(full, name);
    // Peers leave threads of their own behind.
    System.exit(met ? 0 : 1);
  }

  private static boolean run(boolean full, String name) throws Exception {
    Figures figures = new Figures();
    try (DatabaseServer server = DatabaseServer.start();
        SinkProcess sink = SinkProcess.start()) {
      Stand stand = new Stand(server, sink.port(), figures, full ? 5 : 3, 20_000);
      stand.say("MariaDB and the sink are up");
      new DrainComparison(stand).run();
      new SendComparison(stand, Contenders.floor("floor", server, NoSender::new)).run();
      new Latency(stand).run();
      if (full) {
        new Growth(stand, LOG_ROWS).run();
        BacklogDrain.inSmallHeap(stand, BACKLOG);
      }
      return report(figures, full, name);
    }
  }

  private static boolean report(Figures figures, boolean full, String name) throws IOException {
    Report report = new Report(figures);
    if (full) {
      report.addGrowth(LOG_ROWS[LOG_ROWS.length - 1]);
    }
    System.out.println();
    System.out.println(report);
    report.writeTo(Path.of("docs", "performance"), name);
    return report.isMet();
  }
}
