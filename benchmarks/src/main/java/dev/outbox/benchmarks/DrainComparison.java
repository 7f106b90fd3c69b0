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

  private final Stand stand;
  private final List<Contender> contenders;
  private final Contender ours;

  DrainComparison(Stand stand) {
    this.stand = stand;
    this.contenders = Contenders.all(stand.server(), stand.smtpPort());
    this.ours = contenders.get(0);
  }

  void run() throws Exception {
    stand.say("warming up");
    for (int pass = 0; pass < WARM_UP_PASSES; pass++) {
      for (Contender each : contenders) {
        each.fill(emails(each));
        each.drain(emails(each));
        each.rest();
      }
    }
    for (int round = 0; round < stand.rounds(); round++) {
      List<Contender> turned = new ArrayList<>(contenders);
      Collections.rotate(turned, round);
      for (Contender each : turned) {
        measure(each);
      }
      underOldSnapshot();
    }
  }

  /** Peers are slower; a fourth of the emails takes them as long. */
  private int emails(Contender contender) {
    return contender.isPeer() ? stand.emails() / 4 : stand.emails();
  }

  private void measure(Contender each) throws Exception {
    int emails = emails(each);
    stand.server().awaitPurged();
    stand.rate(each.name() + ": stored in batches/s", emails, () -> each.fill(emails));
    Cost before = Cost.untilNow(stand.server());
    stand.rate(each.name() + ": drain/s", emails, () -> each.drain(emails));
    Cost cost = Cost.untilNow(stand.server()).minus(before).perThousand(emails);
    each.rest();
    stand.figures().add(each.name() + ": CPU seconds per 1,000", cost.cpuSeconds());
    stand.figures().add(each.name() + ": statements per 1,000", cost.statements());
    stand.figures().add(each.name() + ": commits per 1,000", cost.commits());
  }

  /** As a report does, or a backup: what is deleted meanwhile stays in every index. */
  private void underOldSnapshot() throws Exception {
    stand.server().awaitPurged();
    try (Connection host = stand.server().connect();
        Statement statement = host.createStatement()) {
      host.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      statement.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT");
      statement.executeQuery("SELECT COUNT(*) FROM outbox_emails").close();
      ours.fill(stand.emails());
      stand.rate(OLD_SNAPSHOT, stand.emails(), () -> ours.drain(stand.emails()));
      ours.rest();
      statement.execute("ROLLBACK");
    }
  }
}
