package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.Completion;
import dev.outbox.store.Lane;
import dev.outbox.store.Report;
import java.util.ArrayList;
import java.util.Collections;
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
  private static final int BATCH = 500;
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
      assertThat(claim(store, Lane.HIGH)).as("looked at once, so that it is known").isEmpty();

      long before = pages(snapshot);
      assertThat(claim(store, Lane.HIGH)).isEmpty();

      assertThat(pages(snapshot) - before).as("pages asked for").isLessThan(EMAILS / 10);
      assertThat(count(snapshot)).as("what the old snapshot still sees").isEqualTo(EMAILS);
      snapshot.rollback();
    }
  }

  /** All emails that one statement has stored are due at the same moment. */
  @Test
  void aClaimDoesNotStepOverWhatWasClaimedBeforeOfTheSameMoment() {
    try (MySqlStore store =
            MySqlStore.builder(url, "root", "").tablePrefix("same_").applySchema().build();
        Handle host = Jdbi.create(url, "root", "").open();
        Handle snapshot = Jdbi.create(url, "root", "").open()) {
      store.insert(Stream.generate(Samples::email).limit(EMAILS).toList());
      host.execute("UPDATE same_emails SET due = TIMESTAMPADD(MINUTE, -1, UTC_TIMESTAMP())");
      snapshot.setTransactionIsolationLevel(TransactionIsolationLevel.REPEATABLE_READ);
      snapshot.begin();
      snapshot.execute("SELECT COUNT(*) FROM same_emails");

      List<Long> pages = new ArrayList<>();
      for (int i = 0; i < EMAILS / BATCH; i++) {
        long before = pages(host);
        assertThat(claim(store, Lane.NORMAL)).hasSize(BATCH);
        pages.add(pages(host) - before);
      }

      // Every half second one looks from the beginning.
      assertThat(Collections.min(pages.subList(2, pages.size())))
          .as("pages asked for by claims, of which the first had nothing to step over: %s", pages)
          .isLessThan(pages.get(0) * 3 / 2);
      snapshot.rollback();
    }
  }

  private static void sendAll(MySqlStore store) {
    for (List<Claim> claims = claim(store, Lane.NORMAL);
        !claims.isEmpty();
        claims = claim(store, Lane.NORMAL)) {
      store.complete(
          store.proceed(claims).stream()
              .map(claim -> Completion.sent(claim, Report.NONE.response("250 ok"), false))
              .toList());
    }
  }

  private static List<Claim> claim(MySqlStore store, Lane lane) {
    return store.claim(new ClaimRequest(NODE, State.ACCEPTED, Map.of(lane, BATCH), 1L << 30));
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
