package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.Completion;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.PriorityLane;
import dev.outbox.testsupport.MariaDbServer;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** What was sent lies in the index until it is purged, which somebody's old snapshot can delay. */
class DeadEntriesTest {

  private static final int EMAILS = 3_000;
  private static final NodeId NODE = NodeId.incarnate("dead");

  /** Its own, because the counter of pages is the server's. */
  private static final MariaDbServer SERVER = MariaDbServer.start(MariaDbServer.freshData(), 0);

  private final String url = SERVER.url();

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  @Test
  void anEmptyLaneIsSeenToBeEmptyWithoutSteppingOverTheDeadOfOtherLanes() {
    try (MySqlStore store =
            MySqlStore.builder(url, "root", "").tablePrefix("dead_").applySchema().build();
        Handle snapshot = Jdbi.create(url, "root", "").open()) {
      snapshot.setTransactionIsolationLevel(TransactionIsolationLevel.REPEATABLE_READ);
      snapshot.begin();
      store.insert(Stream.generate(Samples::email).limit(EMAILS).toList());
      assertThat(count(snapshot)).as("what the old snapshot sees").isEqualTo(EMAILS);
      sendAll(store);
      assertThat(claim(store, PriorityLane.HIGH))
          .as("looked at once, so that it is known")
          .isEmpty();

      long before = pages(snapshot);
      assertThat(claim(store, PriorityLane.HIGH)).isEmpty();

      assertThat(pages(snapshot) - before).as("pages asked for").isLessThan(EMAILS / 10);
      assertThat(count(snapshot)).as("what the old snapshot still sees").isEqualTo(EMAILS);
      snapshot.rollback();
    }
  }

  @Test
  void whatAnotherNodeHasClaimedOfABacklogIsNotSteppedOver() {
    try (MySqlStore store =
            MySqlStore.builder(url, "root", "").tablePrefix("shared_").applySchema().build();
        MySqlStore other = MySqlStore.builder(url, "root", "").tablePrefix("shared_").build();
        Handle host = Jdbi.create(url, "root", "").open()) {
      store.insert(Stream.generate(Samples::email).limit(EMAILS).toList());
      host.begin();
      host.execute("INSERT INTO shared_keys VALUES (REPEAT('k', 32), REPEAT('i', 16), 'host')");
      assertThat(claim(store, PriorityLane.NORMAL, 10)).as("there is more").hasSize(10);
      assertThat(claim(other, PriorityLane.NORMAL, EMAILS - 20)).hasSize(EMAILS - 20);

      long before = pages(host);
      assertThat(claim(store, PriorityLane.NORMAL, 10)).hasSize(10);

      assertThat(pages(host) - before).as("pages asked for").isLessThan(EMAILS / 10);
      host.rollback();
    }
  }

  @Test
  void aGlanceLeavesTheHostsConnectionAsItWas() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername("root");
    config.setMaximumPoolSize(1);
    try (HikariDataSource pool = new HikariDataSource(config);
        MySqlStore store = MySqlStore.builder(pool).tablePrefix("glance_").applySchema().build();
        Handle other = Jdbi.create(url, "root", "").open()) {
      store.insert(Stream.generate(Samples::email).limit(3).toList());
      assertThat(claim(store, PriorityLane.NORMAL, 1)).as("there is more").hasSize(1);
      assertThat(claim(store, PriorityLane.NORMAL, 1)).as("after a glance").hasSize(1);

      other.begin();
      other.execute("UPDATE glance_emails SET reaps = 7");
      try (Handle host = Jdbi.create(pool).open()) {
        assertThat(sumOfReaps(host)).as("what is not committed").isZero();
      }
      assertThat(sumOfReaps(other)).isEqualTo(21);
      other.rollback();
    }
  }

  private static int sumOfReaps(Handle handle) {
    return handle.createQuery("SELECT SUM(reaps) FROM glance_emails").mapTo(int.class).one();
  }

  /** All emails that one statement has stored are due at the same moment. */
  @Test
  void aBacklogIsClaimedFromTheLastEmailOn() {
    try (MySqlStore store =
            MySqlStore.builder(url, "root", "").tablePrefix("same_").applySchema().build();
        Handle host = Jdbi.create(url, "root", "").open()) {
      // Now and then a claim looks from the beginning, which may just then be the second one.
      await().untilAsserted(() -> whatCameBackBeforeTheLastIsNotLookedAt(store, host));
    }
  }

  private static void whatCameBackBeforeTheLastIsNotLookedAt(MySqlStore store, Handle host) {
    host.execute("TRUNCATE TABLE same_emails");
    store.forgetLowWater();
    store.insert(Stream.generate(Samples::email).limit(3).toList());
    host.execute("UPDATE same_emails SET due = '2020-01-01'");
    List<Claim> first = claim(store, PriorityLane.NORMAL, 2);
    host.execute("UPDATE same_emails SET status = 'ACCEPTED', due = '2020-01-01', owner = NULL");
    List<Claim> second = claim(store, PriorityLane.NORMAL, 2);

    assertThat(first).hasSize(2);
    assertThat(second).hasSize(2);
    assertThat(second.get(0).id()).isEqualTo(first.get(1).id());
    store.forgetLowWater();
    assertThat(claim(store, PriorityLane.NORMAL, 3)).hasSize(1);
  }

  private static void sendAll(MySqlStore store) {
    for (List<Claim> claims = claim(store, PriorityLane.NORMAL);
        !claims.isEmpty();
        claims = claim(store, PriorityLane.NORMAL)) {
      store.complete(
          store.beginDelivery(claims).stream()
              .map(claim -> Completion.sent(claim, OutcomeDetails.NONE.response("250 ok"), false))
              .toList());
    }
  }

  private static List<Claim> claim(MySqlStore store, PriorityLane lane) {
    return claim(store, lane, 500);
  }

  private static List<Claim> claim(MySqlStore store, PriorityLane lane, int limit) {
    return store.claim(new ClaimRequest(NODE, State.ACCEPTED, Map.of(lane, limit), 1L << 30));
  }

  private static int count(Handle handle) {
    return handle.createQuery("SELECT COUNT(*) FROM dead_emails").mapTo(int.class).one();
  }

  private static long pages(Handle handle) {
    return handle
        .createQuery("SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_read_requests'")
        .map((row, context) -> row.getLong(2))
        .one();
  }
}
