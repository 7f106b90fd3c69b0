package dev.outbox.benchmarks;

/** Draft. */
public final class Benchmark {
  private Benchmark() {}

  /** Runs. */
  public static void main(String[] args) throws Exception {
    java.util.logging.Logger.getLogger("").setLevel(java.util.logging.Level.WARNING);
    int rounds = Integer.getInteger("rounds", 3);
    int emails = Integer.getInteger("emails", 20000);
    String only = System.getProperty("only", "");
    try (DatabaseServer server = DatabaseServer.start();
        SinkProcess sink = SinkProcess.start();
        var store = server.store()) {
      java.util.List<Contender> all = Contenders.all(server, store, sink.port());
      for (int round = 0; round <= rounds; round++) {
        for (Contender each : all) {
          if (!each.name().matches(".*(" + only + ").*")) {
            continue;
          }
          int n = emails;
          if (each.name().contains("-peer")) n /= 3;
          long t0 = System.nanoTime();
          each.fill(n);
          long t1 = System.nanoTime();
          Cost before = Cost.untilNow(server);
          long t2 = System.nanoTime();
          each.drain(n);
          long t3 = System.nanoTime();
          Cost cost = Cost.untilNow(server).minus(before);
          if (Boolean.getBoolean("split"))
          ProcessHandle.current().descendants().forEach(c -> System.out.println("   " + c.info().totalCpuDuration().get().toMillis() + " ms " + c.info().command().orElse("?")));
          System.out.printf(
              "%d %-30s fill %7.0f/s drain %7.0f/s  cpu %.2f stmts %.1f commits %.1f per 1000%n",
              round,
              each.name(),
              n / ((t1 - t0) / 1e9),
              n / ((t3 - t2) / 1e9),
              cost.perThousand(n, cost.cpuSeconds()),
              cost.perThousand(n, cost.statements()),
              cost.perThousand(n, cost.commits()));
        }
      }
    }
    System.exit(0);
  }
}
