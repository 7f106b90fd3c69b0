package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.email.NodeId;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.StoreException;
import dev.outbox.store.StoreException.Reason;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;

/** How pools and drivers hide why there is no connection, and what the store says all the same. */
class RefusedLoginTest {

  private static final NodeId NODE = NodeId.incarnate("node");

  private final HookedSource hooked = new HookedSource("refused");

  private static SQLException refused() {
    return new SQLException("Access denied", "28000", 1045);
  }

  private static SQLException timeout() {
    return new SQLTransientConnectionException("timeout");
  }

  private static SQLException lost() {
    return new SQLNonTransientConnectionException("lost", "08S01");
  }

  private static StoreException failure(Runnable call) {
    StoreException thrown = catchThrowableOfType(StoreException.class, call::run);
    assertThat(thrown).as("a StoreException").isNotNull();
    return thrown;
  }

  @Test
  void aRefusedLoginIsNotTriedAgain() {
    try (MySqlStore store = MySqlStore.builder(hooked.source()).applySchema().build()) {
      hooked.failWith(refused());

      assertThat(failure(() -> store.heartbeat(NODE))).hasMessageContaining("denied");
      assertThat(hooked.opened()).isEqualTo(1);
    }
  }

  @Test
  void aTimeoutOfThePoolIsExplainedByTheRefusalThatAnotherCallerGot() {
    try (MySqlStore store = MySqlStore.builder(hooked.source()).applySchema().build()) {
      hooked.failWith(refused(), timeout());

      assertThat(failure(() -> store.heartbeat(NODE))).hasMessageContaining("denied");
      assertThat(failure(() -> store.heartbeat(NODE))).hasMessageContaining("denied");

      assertThat(store.heartbeat(NODE)).isNotEmpty();
      hooked.failBy(count -> timeout());
      StoreException later = failure(() -> Samples.claim(store, NODE, 1));
      assertThat(later.reason()).isEqualTo(Reason.UNAVAILABLE);
      assertThat(later).hasMessageContaining("in time").hasMessageNotContaining("denied");
    }
  }

  @Test
  void aConnectionThatWasLostBecauseTheLoginIsRefusedNowIsReportedAsDenied() {
    try (MySqlStore store = MySqlStore.builder(hooked.source()).applySchema().build()) {
      hooked.failWith(lost(), refused());

      StoreException thrown = failure(() -> Samples.claim(store, NODE, 1));

      assertThat(thrown.reason()).isEqualTo(Reason.UNAVAILABLE);
      assertThat(thrown).hasMessageContaining("denied");
    }
  }

  @Test
  void aDuplicateKeyOfAResultIsNotTriedAgain() {
    try (MySqlStore store = MySqlStore.builder(hooked.source()).applySchema().build()) {
      store.insert(List.of(Samples.email()));
      Claim first = store.beginDelivery(Samples.claim(store, NODE, 1)).get(0);
      store.complete(List.of(Completion.sent(first, OutcomeDetails.NONE, false)));
      store.insert(List.of(Samples.withId(first.id())));
      Claim second = store.beginDelivery(Samples.claim(store, NODE, 1)).get(0);
      hooked.failWith();

      StoreException thrown =
          failure(
              () -> store.complete(List.of(Completion.sent(second, OutcomeDetails.NONE, false))));

      assertThat(thrown.reason()).isEqualTo(Reason.REJECTED_DATA);
      assertThat(hooked.opened()).isEqualTo(1);
    } finally {
      Jdbi.create(hooked.source()).useHandle(handle -> handle.execute("DROP ALL OBJECTS"));
    }
  }

  @Test
  void aPoolThatTheHostHasClosedIsSaidToBeClosed() {
    HikariDataSource pool =
        ConnectionPools.open(
            H2Settings.in("jdbc:h2:mem:closed") + ";DB_CLOSE_DELAY=-1", "sa", "", 2);
    try (MySqlStore store = MySqlStore.builder(pool).applySchema().build()) {
      pool.close();

      assertThat(failure(() -> store.heartbeat(NODE))).hasMessageContaining("closed");
    }
  }
}
