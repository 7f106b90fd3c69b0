package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailPage;
import dev.outbox.email.EmailQuery;
import dev.outbox.testsupport.MariaDbServer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.generic.GenericType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A list is read from where the page before ended, and never from its start. */
class DeepPageTest {

  private static final int PAGE = 50;
  private static final List<String> READS =
      List.of(
          "Handler_read_first",
          "Handler_read_key",
          "Handler_read_last",
          "Handler_read_next",
          "Handler_read_prev",
          "Handler_read_rnd",
          "Handler_read_rnd_next");

  private static Jdbi host;
  private static MySqlStore store;

  @BeforeAll
  static void tenThousandEmails() {
    new SqlFixture(MariaDbServer.shared().url(), "root", "").close();
    host = Jdbi.create(MariaDbServer.shared().url(), "root", "");
    store = MySqlStore.builder(MariaDbServer.shared().url(), "root", "").connections(2).build();
    host.useHandle(
        handle -> {
          handle.execute("TRUNCATE TABLE outbox_emails");
          handle.execute("TRUNCATE TABLE outbox_log");
          SampleRows.emails(handle, 2_500, "FAILED", "never");
          SampleRows.log(handle, 7_500);
          handle.execute("ANALYZE TABLE outbox_emails, outbox_log");
        });
  }

  @AfterAll
  static void empty() {
    host.useHandle(
        handle -> {
          handle.execute("TRUNCATE TABLE outbox_emails");
          handle.execute("TRUNCATE TABLE outbox_log");
        });
    store.close();
  }

  @Test
  void pageHundredCostsTheStatementsAndRowsOfPageOne() {
    List<Cost> costs = new ArrayList<>();
    Set<EmailId> seen = new LinkedHashSet<>();
    EmailId after = null;
    read(null); // the first call of all opens its connections
    for (int number = 1; number <= 100; number++) {
      Read read = read(after);
      assertThat(read.page.emails()).hasSize(PAGE);
      read.page.emails().forEach(email -> assertThat(seen.add(email.id())).isTrue());
      costs.add(read.cost);
      after = read.page.next();
    }

    Cost first = costs.get(0);
    assertThat(first.statements).isPositive();
    assertThat(first.rows).isBetween((long) PAGE, 4L * PAGE);
    Cost hundredth = costs.get(99);
    assertThat(hundredth.statements).isEqualTo(first.statements);
    assertThat(hundredth.rows).isLessThanOrEqualTo(first.rows + 2);
    assertThat(costs)
        .allSatisfy(cost -> assertThat(cost.rows).isLessThanOrEqualTo(first.rows + 2))
        .allSatisfy(cost -> assertThat(cost.statements).isEqualTo(first.statements));
  }

  /** What the server did: statements, and rows or index entries it looked at. */
  private record Cost(long statements, long rows) {
    Cost minus(Cost other) {
      return new Cost(statements - other.statements, rows - other.rows);
    }
  }

  private record Read(EmailPage page, Cost cost) {}

  /** Reads a page twice and keeps the cheaper: pools look after their connections in between. */
  private static Read read(@Nullable EmailId after) {
    Read one = costOf(after);
    Read two = costOf(after);
    return one.cost.rows + one.cost.statements <= two.cost.rows + two.cost.statements ? one : two;
  }

  private static Read costOf(@Nullable EmailId after) {
    Cost start = counters();
    Cost counting = counters().minus(start);
    Cost before = counters();
    EmailPage page = store.query(EmailQuery.all(), after, PAGE);
    return new Read(page, counters().minus(before).minus(counting));
  }

  private static Cost counters() {
    Map<String, Long> counters =
        host.withHandle(
            handle ->
                handle
                    .createQuery(
                        "SHOW GLOBAL STATUS WHERE Variable_name LIKE 'Handler_read%'"
                            + " OR Variable_name = 'Com_select'")
                    .setMapKeyColumn("Variable_name")
                    .setMapValueColumn("Value")
                    .collectInto(new GenericType<Map<String, Long>>() {}));
    long rows = READS.stream().mapToLong(name -> counters.getOrDefault(name, 0L)).sum();
    return new Cost(counters.getOrDefault("Com_select", 0L), rows);
  }
}
