package dev.outbox.benchmarks;

import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Backlogs stored and worked off by all contenders in turn, several rounds of them. */
final class DrainComparison {

  static final String OLD_SNAPSHOT = "ours, an old snapshot open: drain/s";

  /** By then the compiler has seen everybody at work; after half of it all are a tenth slower. */
  private static final int WARM_UP_PASSES = 2;

  private final BenchmarkEnvironment environment;
  private final List<Competitor> contenders;
  private final Competitor ours;

  DrainComparison(BenchmarkEnvironment environment) {
    this.environment = environment;
    this.contenders = Competitors.all(environment.server(), environment.smtpPort());
    this.ours = contenders.get(0);
  }

  void run() throws Exception {
    environment.say("warming up");
    for (int pass = 0; pass < WARM_UP_PASSES; pass++) {
      for (Competitor each : contenders) {
        each.fill(emails(each));
        each.drain(emails(each));
        each.rest();
      }
    }
    for (int round = 0; round < environment.rounds(); round++) {
      List<Competitor> turned = new ArrayList<>(contenders);
      Collections.rotate(turned, round);
      for (Competitor each : turned) {
        measure(each);
      }
      underOldSnapshot();
    }
  }

  /** Peers are slower; a fourth of the emails takes them as long. */
  private int emails(Competitor contender) {
    return contender.isPeer() ? environment.emails() / 4 : environment.emails();
  }

  private void measure(Competitor each) throws Exception {
    int emails = emails(each);
    environment.server().awaitPurged();
    environment.rate(each.name() + ": stored in batches/s", emails, () -> each.fill(emails));
    ResourceUsage before = ResourceUsage.untilNow(environment.server());
    environment.rate(each.name() + ": drain/s", emails, () -> each.drain(emails));
    ResourceUsage cost =
        ResourceUsage.untilNow(environment.server()).minus(before).perThousand(emails);
    each.rest();
    environment.figures().add(each.name() + ": CPU seconds per 1,000", cost.cpuSeconds());
    environment.figures().add(each.name() + ": statements per 1,000", cost.statements());
    environment.figures().add(each.name() + ": commits per 1,000", cost.commits());
  }

  /** As a report does, or a backup: what is deleted meanwhile stays in every index. */
  private void underOldSnapshot() throws Exception {
    environment.server().awaitPurged();
    try (Connection host = environment.server().connect();
        Statement statement = host.createStatement()) {
      host.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      statement.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT");
      statement.executeQuery("SELECT COUNT(*) FROM outbox_emails").close();
      ours.fill(environment.emails());
      environment.rate(OLD_SNAPSHOT, environment.emails(), () -> ours.drain(environment.emails()));
      ours.rest();
      statement.execute("ROLLBACK");
    }
  }
}
