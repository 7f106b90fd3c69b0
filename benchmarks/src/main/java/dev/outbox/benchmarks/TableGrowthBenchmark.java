package dev.outbox.benchmarks;

import dev.outbox.mysql.MySqlStore;
import java.util.List;

/** Drains while the log grows, and while many failed emails lie in the hot table. */
final class TableGrowthBenchmark {

  private static final int FAILED = 100_000;
  private static final int STEP = 100_000;

  private static final String COLUMNS =
      """
      id, status, token, completed_token, completed_to, sent_token, generation, attempts, reaps,
      tries, priority, created, preparing, prepared, sending, sent, settled, updated, deadline,
      sender, recipients, recipient_hash, subject, template, worker, response, results""";

  private final BenchmarkEnvironment environment;
  private final Competitor grown;
  private final Competitor empty;
  private final int[] sizes;
  private int log;

  TableGrowthBenchmark(BenchmarkEnvironment environment, int... sizes) {
    this.environment = environment;
    this.grown = ours(environment.server().store());
    this.empty = ours(environment.server().store("empty_"));
    this.sizes = sizes;
  }

  private Competitor ours(MySqlStore store) {
    return new OutboxCompetitor(
        "ours", List.of(store), () -> Competitors.smtp(environment.smtpPort()));
  }

  /** Tables that hold nothing else, drained in turn with the large ones. */
  static String beside(String figure) {
    return figure.replace(": drain/s", "; empty tables beside them: drain/s");
  }

  static String figure(int rows) {
    return "ours, %,d rows in the log: drain/s".formatted(rows);
  }

  static String withFailed(int rows) {
    return "ours, %,d rows in the log and 100,000 failed: drain/s".formatted(rows);
  }

  /** Measures each size, and the largest once more among failed emails. */
  void run() throws Exception {
    for (Competitor each : List.of(grown, empty)) {
      each.fill(environment.emails());
      each.drain(environment.emails());
      each.rest();
    }
    environment.server().execute("TRUNCATE TABLE outbox_log");
    for (int size : sizes) {
      while (log < size) {
        environment.server().execute(rows("outbox_log", log, "", ""));
        log += STEP;
        if (log % 1_000_000 == 0) {
          environment.say("%,d rows in the log".formatted(log));
        }
      }
      measure(figure(size));
    }
    for (int failed = 0; failed < FAILED; failed += STEP) {
      environment
          .server()
          .execute(
              rows(
                      "outbox_emails",
                      50_000_000 + failed,
                      ", lane, lifetime, code",
                      ", 1, 259200000000, 'REFUSED'")
                  .replace("'SENT'", "'FAILED'"));
    }
    measure(withFailed(log));
  }

  /** Writes rows into an empty log that are due to be pruned. */
  static void fillLog(BenchmarkEnvironment environment, int rows) {
    environment.server().execute("TRUNCATE TABLE outbox_log");
    for (int from = 0; from < rows; from += STEP) {
      environment.server().execute(rows("outbox_log", 10_000 + from, "", ""));
    }
  }

  private void measure(String figure) throws Exception {
    for (int round = 0; round < environment.rounds(); round++) {
      environment.server().execute("TRUNCATE TABLE empty_log");
      measure(empty, beside(figure));
      measure(grown, figure);
    }
  }

  private void measure(Competitor ours, String figure) throws Exception {
    environment.server().awaitPurged();
    ours.fill(environment.emails());
    environment.rate(figure, environment.emails(), () -> ours.drain(environment.emails()));
    ours.rest();
  }

  /** Returns a statement that writes rows as they are after a month of sending. */
  private static String rows(String table, int from, String columns, String values) {
    return """
        INSERT INTO %s (%s%s)
        SELECT UNHEX(CONCAT(LPAD(HEX(1700000000000 + seq * 100), 12, '0'), '7000',
            LPAD(HEX(seq), 16, '8'))),
          'SENT', 1, 1, 'SENT', 1, 0, 1, 0, 0, 1, t, t, t, t, t, t, t, TIMESTAMPADD(DAY, 3, t),
          '"Shop" <shop@example.com>', CONCAT('to ada', seq, '@example.com'),
          CAST(CRC32(seq) AS SIGNED) - 2147483648, 'Your order has been confirmed', 'order',
          'node~0123456789abcdef', '250 2.0.0 ok',
          CONCAT('ACCEPTED ada', seq, '@example.com =250 2.0.0 ok')%s
        FROM (SELECT seq, TIMESTAMPADD(SECOND, -CAST(seq AS SIGNED) DIV 4, UTC_TIMESTAMP(6)) AS t
          FROM seq_%d_to_%d) AS numbers"""
        .formatted(table, COLUMNS, columns, values, from + 1, from + STEP);
  }
}
