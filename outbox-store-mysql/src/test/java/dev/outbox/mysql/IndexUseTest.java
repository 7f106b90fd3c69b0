package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailQuery;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.settings.RetentionSettings;
import dev.outbox.store.Claim;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.Completion;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.PriorityLane;
import dev.outbox.store.ReapPolicy;
import dev.outbox.testsupport.MariaDbServer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Each statement reads about as many rows as it is for, however many there are. Plans alone would
 * not show it: a plan with the right index may read the whole of it.
 */
class IndexUseTest {

  private static final int MANY = 200_000;
  private static final int BATCH = 500;

  /** What reading the counters reads. */
  private static final long COUNTING = 20;

  private static final NodeId NODE = NodeId.incarnate("one");

  private static Jdbi host;
  private static MySqlStore store;

  @BeforeAll
  static void fill() {
    SqlFixture fixture = new SqlFixture(MariaDbServer.shared().url(), "root", "");
    fixture.close();
    host = Jdbi.create(MariaDbServer.shared().url(), "root", "");
    store = MySqlStore.builder(MariaDbServer.shared().url(), "root", "").connections(2).build();
    host.useHandle(
        handle -> {
          SampleRows.emails(handle, MANY, "ACCEPTED", "86400");
          SampleRows.emails(handle, 20_000, "FAILED", "never");
          SampleRows.log(handle, MANY);
          SampleRows.emails(handle, 20 * BATCH, "ACCEPTED", "-60");
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
  void aClaimReadsWhatItTakes() {
    Reads reads = reads(() -> claim(BATCH).size(), BATCH);

    assertThat(reads.next).as("index entries stepped over").isLessThanOrEqualTo(2L * BATCH);
    assertThat(reads.scanned).as("rows of table scans").isLessThanOrEqualTo(COUNTING);
  }

  @Test
  void aClaimFromMailThatIsNotDueReadsNothing() {
    int claimed;
    do {
      claimed = claim(5_000).size();
    } while (claimed > 0);
    store.forgetLowWater();

    Reads reads = reads(() -> claim(BATCH).size(), 0);

    assertThat(reads.next).isLessThanOrEqualTo(10);
    host.useHandle(handle -> SampleRows.emails(handle, 20 * BATCH, "ACCEPTED", "-60"));
  }

  @Test
  void archivingReadsWhatItArchives() {
    List<Claim> claims = store.beginDelivery(claim(BATCH));
    List<Completion> sent =
        claims.stream()
            .map(claim -> Completion.sent(claim, OutcomeDetails.NONE.response("250 ok"), false))
            .toList();

    Reads reads = reads(() -> store.complete(sent).size(), BATCH);

    assertThat(reads.next).isLessThanOrEqualTo(2L * BATCH);
    assertThat(reads.scanned).isLessThanOrEqualTo(COUNTING);
  }

  @Test
  void pruningReadsWhatItRemoves() {
    RetentionSettings retention =
        new RetentionSettings(
            Duration.ofSeconds(MANY / 2),
            Duration.ofDays(30),
            Duration.ofDays(30),
            Duration.ofDays(30));

    Reads reads = reads(() -> store.prune(retention, BATCH), BATCH);

    assertThat(reads.next).isLessThanOrEqualTo(4L * BATCH);
    assertThat(reads.scanned).isLessThanOrEqualTo(COUNTING);
  }

  @Test
  void reapingReadsWhatIsInFlight() {
    giveBackWhatOtherTestsHold();
    NodeId dead = NodeId.incarnate("dead");
    Map<PriorityLane, Integer> some = Map.of(PriorityLane.NORMAL, BATCH);
    store.claim(new ClaimRequest(dead, State.ACCEPTED, some, 1L << 30));

    Reads reads = reads(() -> store.reap(dead, 0, ReapPolicy.DEFAULT, BATCH).size(), BATCH);

    assertThat(reads.next).isLessThanOrEqualTo(2L * BATCH);
    assertThat(reads.scanned).isLessThanOrEqualTo(COUNTING);
  }

  private static void giveBackWhatOtherTestsHold() {
    int reaped;
    do {
      reaped = store.reap(NODE, 0, ReapPolicy.DEFAULT, BATCH).size();
    } while (reaped > 0);
  }

  @Test
  void aPageIsReadFromItsPlace() {
    var first = store.query(EmailQuery.all(), null, 50);

    Reads reads = reads(() -> store.query(EmailQuery.all(), first.next(), 50).emails().size(), 50);

    assertThat(reads.all()).isLessThanOrEqualTo(300);
  }

  @Test
  void aRecipientIsFoundByItsHash() {
    EmailQuery query = EmailQuery.all().states(State.SENT).recipient("u4711@example.net");

    Reads reads = reads(() -> store.query(query, null, 50).emails().size(), 1);

    assertThat(reads.all()).as("rows read in 200,000 of the log").isLessThanOrEqualTo(100);
  }

  @Test
  void whatWasStoredLatelyIsFoundByItsTime() {
    EmailQuery query =
        EmailQuery.all()
            .states(State.SENT)
            .template("no-such-template")
            .createdSince(Instant.now().minus(Duration.ofMinutes(5)));

    Reads reads = reads(() -> store.query(query, null, 50).emails().size(), 0);

    assertThat(reads.all()).isLessThanOrEqualTo(2_000);
  }

  @Test
  void failedEmailsAreFoundByTheirState() {
    EmailQuery query = EmailQuery.all().states(State.INVALID);

    Reads reads = reads(() -> store.query(query, null, 50).emails().size(), 0);

    assertThat(reads.all()).isLessThanOrEqualTo(100);
  }

  @Test
  void thePlansNameTheIntendedIndexes() {
    SqlStatements sql = new SqlStatements(SqlDialect.MARIADB, true, "outbox_");
    host.useHandle(
        handle -> {
          assertThat(key(handle, sql.due)).isEqualTo("outbox_emails_due");
          assertThat(key(handle, sql.firstDue)).isEqualTo("outbox_emails_due");
          assertThat(key(handle, sql.anyInLane)).isEqualTo("outbox_emails_due");
          assertThat(key(handle, sql.held)).isEqualTo("outbox_emails_due");
          assertThat(key(handle, sql.oldLog)).isEqualTo("outbox_log_settled");
          assertThat(key(handle, sql.oldEmails)).isEqualTo("outbox_emails_settled");
          assertThat(key(handle, sql.emailsForUpdate)).isEqualTo("PRIMARY");
        });
  }

  @Test
  void queriesUseTheIntendedIndexes() {
    EmailQuery sent = EmailQuery.all().states(State.SENT);
    Instant lately = Instant.now().minus(Duration.ofMinutes(5));

    assertThat(plan(EmailQuery.all()))
        .containsExactly("outbox_emails PRIMARY", "outbox_log PRIMARY");
    assertThat(plan(sent.recipient("u4711@example.net")))
        .containsExactly("outbox_emails outbox_emails_due", "outbox_log outbox_log_recipient");
    assertThat(plan(sent.template("no-such-template").createdSince(lately)))
        .containsExactly("outbox_emails outbox_emails_due", "outbox_log outbox_log_settled");
    assertThat(plan(EmailQuery.all().states(State.INVALID)))
        .containsExactly("outbox_emails outbox_emails_due");
  }

  /** Explains the statements of a query as the server heard them: each query makes its own. */
  private static List<String> plan(EmailQuery query) {
    return host.withHandle(
        handle -> {
          handle.execute("SET GLOBAL log_output = 'TABLE'");
          handle.execute("TRUNCATE TABLE mysql.general_log");
          handle.execute("SET GLOBAL general_log = ON");
          try {
            store.query(query, null, 50);
          } finally {
            handle.execute("SET GLOBAL general_log = OFF");
          }
          List<String> heard =
              handle
                  .createQuery(
                      "SELECT argument FROM mysql.general_log"
                          + " WHERE argument LIKE 'SELECT%FROM outbox\\_%' ORDER BY event_time")
                  .mapTo(String.class)
                  .list();
          return heard.stream().map(statement -> explained(handle, statement)).toList();
        });
  }

  private static String explained(Handle handle, String statement) {
    try (Statement plain = handle.getConnection().createStatement();
        ResultSet row = plain.executeQuery("EXPLAIN " + statement)) {
      row.next();
      return row.getString("table") + " " + row.getString("key");
    } catch (SQLException e) {
      throw new IllegalStateException(statement, e);
    }
  }

  private static String key(Handle handle, String statement) {
    String filled =
        statement
            .replace(":status", "'ACCEPTED'")
            .replace(":lane", "1")
            .replace(":since", "'1970-01-01'")
            .replace(":first", "x'00112233445566778899aabbccddeeff'")
            .replace(":limit", "500")
            .replace(":node", "'n'")
            .replace(":before", "'2020-01-01'")
            .replace("<states>", "'FAILED'")
            .replace("<ids>", "x'0011', x'2233'");
    return handle
        .createQuery("EXPLAIN " + filled)
        .map((row, context) -> String.valueOf(row.getString("key")))
        .first();
  }

  private static List<Claim> claim(int limit) {
    return store.claim(
        new ClaimRequest(NODE, State.ACCEPTED, Map.of(PriorityLane.NORMAL, limit), 1L << 30));
  }

  /** What the server read for a call. */
  private record Reads(long next, long scanned, long key) {
    long all() {
      return next + scanned + key;
    }
  }

  private static Reads reads(Supplier<Integer> call, int expected) {
    Reads before = reads();
    assertThat(call.get()).isEqualTo(expected);
    Reads after = reads();
    return new Reads(
        after.next - before.next, after.scanned - before.scanned, after.key - before.key);
  }

  private static Reads reads() {
    return host.withHandle(
        handle -> {
          Map<String, String> counters =
              handle
                  .createQuery("SHOW GLOBAL STATUS LIKE 'Handler_read%'")
                  .setMapKeyColumn("Variable_name")
                  .setMapValueColumn("Value")
                  .collectInto(new org.jdbi.v3.core.generic.GenericType<Map<String, String>>() {});
          long next = count(counters, "Handler_read_next") + count(counters, "Handler_read_prev");
          return new Reads(
              next, count(counters, "Handler_read_rnd_next"), count(counters, "Handler_read_key"));
        });
  }

  private static long count(Map<String, String> counters, String name) {
    return Long.parseLong(counters.getOrDefault(name, "0"));
  }
}
