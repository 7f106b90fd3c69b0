package dev.outbox.benchmarks;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.mysql.MySqlStore;
import java.util.concurrent.atomic.AtomicInteger;

/** Single emails from several threads, against plain inserts that commit one by one. */
final class SendComparison {

  private static final int[] THREADS = {1, 8, 32};

  private final BenchmarkEnvironment environment;
  private final JdbcBaseline baseline;

  SendComparison(BenchmarkEnvironment environment, JdbcBaseline baseline) {
    this.environment = environment;
    this.baseline = baseline;
  }

  static String ours(int threads) {
    return "ours: send from " + threads + " threads/s";
  }

  static String floor(int threads) {
    return "floor: single inserts from " + threads + " threads/s";
  }

  void run() throws Exception {
    Email email = SampleOrder.email(1);
    try (MySqlStore store = environment.server().store();
        Outbox outbox = Outbox.builder(store).templates(SampleOrder.TEMPLATES).build()) {
      send(outbox, email, 8, 4_000);
      baseline.insertSingly(4_000, 8);
      for (int round = 0; round < environment.rounds(); round++) {
        for (int threads : THREADS) {
          int emails = threads == 1 ? 2_000 : 10_000;
          environment.rate(ours(threads), emails, () -> send(outbox, email, threads, emails));
          environment.rate(floor(threads), emails, () -> baseline.insertSingly(emails, threads));
        }
      }
    }
    environment.server().execute("TRUNCATE TABLE outbox_emails");
    environment.server().execute("TRUNCATE TABLE floor_emails");
  }

  private static void send(Outbox outbox, Email email, int threads, int emails) throws Exception {
    AtomicInteger left = new AtomicInteger(emails);
    Parallel.run(
        threads,
        () -> {
          while (left.getAndDecrement() > 0) {
            outbox.send(email);
          }
        });
  }
}
