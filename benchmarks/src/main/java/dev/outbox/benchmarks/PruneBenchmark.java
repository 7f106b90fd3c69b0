package dev.outbox.benchmarks;

import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.mysql.MySqlStore;
import dev.outbox.settings.RetentionSettings;
import dev.outbox.store.Claim;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.Completion;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.PriorityLane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Shows that pruning leaves claims alone: how long claims take while a large log is being pruned,
 * and without. Prints both; ends with 1 if the 99th percentile more than doubles.
 */
public final class PruneBenchmark {

  private static final Logger ROOT = Logger.getLogger("");
  private static final NodeId NODE = NodeId.incarnate("prune");
  private static final int LOG_ROWS = 500_000;
  private static final int CLAIMS = 300;
  private static final int SIZE = 100;

  private PruneBenchmark() {}

  /** Runs the comparison. */
  public static void main(String[] args) throws Exception {
    ROOT.setLevel(Level.WARNING);
    Measurements measurements = new Measurements();
    try (DatabaseServer server = DatabaseServer.start();
        MySqlStore store = server.store()) {
      BenchmarkEnvironment environment =
          new BenchmarkEnvironment(server, 0, measurements, 3, SIZE * CLAIMS);
      OutboxCompetitor ours = new OutboxCompetitor("ours", server, NoOpTransport::new, 1);
      ours.fill(environment.emails());
      claims(store);
      for (int round = 0; round < environment.rounds(); round++) {
        ours.fill(environment.emails());
        measure(environment, "claim of 100, nothing else,", store);
        TableGrowthBenchmark.fillLog(environment, LOG_ROWS);
        ours.fill(environment.emails());
        long pruned =
            whilePruning(store, () -> measure(environment, "claim of 100, pruning,", store));
        environment.say("%,d rows were pruned meanwhile".formatted(pruned));
      }
    }
    double ratio =
        measurements.ratio("claim of 100, pruning, p99, ms", "claim of 100, nothing else, p99, ms");
    System.out.println(measurements.table());
    System.out.println("p99 while pruning / without: " + Measurements.text(ratio));
    System.exit(ratio <= 2 ? 0 : 1);
  }

  private static void measure(BenchmarkEnvironment environment, String name, MySqlStore store) {
    Percentiles times = Percentiles.ofNanos(claims(store));
    times.addTo(environment.figures(), name);
    environment.say(name + " " + times);
  }

  private static List<Long> claims(MySqlStore store) {
    List<Long> times = new ArrayList<>();
    ClaimRequest request =
        new ClaimRequest(NODE, State.ACCEPTED, Map.of(PriorityLane.NORMAL, SIZE), 32L << 20);
    for (int i = 0; i < CLAIMS; i++) {
      long start = System.nanoTime();
      List<Claim> claims = store.claim(request);
      times.add(System.nanoTime() - start);
      List<Claim> proceeded = store.beginDelivery(claims);
      store.complete(
          proceeded.stream()
              .map(claim -> Completion.sent(claim, OutcomeDetails.of("accepted"), false))
              .toList());
    }
    return times;
  }

  private static long whilePruning(MySqlStore store, Parallel.Work work) throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    AtomicLong pruned = new AtomicLong();
    RetentionSettings retention =
        new RetentionSettings(
            Duration.ofMinutes(10), Duration.ofMinutes(10), Duration.ofMinutes(10), Duration.ZERO);
    Thread pruner =
        new Thread(
            () -> {
              while (!over.get()) {
                pruned.addAndGet(store.prune(retention, 500));
              }
            });
    pruner.start();
    work.run();
    over.set(true);
    pruner.join();
    return pruned.get();
  }
}
