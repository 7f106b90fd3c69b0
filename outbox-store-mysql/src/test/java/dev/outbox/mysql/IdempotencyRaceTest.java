package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.outbox.email.NodeId;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.InsertResult;
import dev.outbox.store.NewEmail;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.StoreException;
import dev.outbox.testsupport.MariaDbServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One key is one email, whatever moves or ends beside the second sender. */
class IdempotencyRaceTest {

  private static final int ROUNDS = 3_000;
  private static final int AT_ONCE = 500;

  private final Jdbi host = Jdbi.create(MariaDbServer.shared().url(), "root", "");
  private MySqlStore store;
  private MySqlStore another;

  @BeforeEach
  void open() {
    store = build();
    another = build();
    host.useHandle(
        handle ->
            List.of("emails", "log", "keys")
                .forEach(table -> handle.execute("DELETE FROM race_" + table)));
  }

  private static MySqlStore build() {
    return MySqlStore.builder(MariaDbServer.shared().url(), "root", "")
        .tablePrefix("race_")
        .applySchema()
        .build();
  }

  @AfterEach
  void close() {
    store.close();
    another.close();
  }

  @Test
  void aSecondSendDuringTheArchivingGetsTheFirstReceipt() {
    NodeId node = NodeId.incarnate("node");
    for (int round = 0; round < ROUNDS; round += AT_ONCE) {
      List<NewEmail> firsts = numbered(round);
      assertThat(store.insert(firsts))
          .allMatch(answer -> answer.status() == InsertResult.Status.CREATED);
      List<Claim> claims = store.beginDelivery(Samples.claim(store, node, AT_ONCE));
      assertThat(claims).hasSize(AT_ONCE);

      Meeting start = new Meeting();
      List<NewEmail> seconds = numbered(round);
      CompletableFuture<List<InsertResult>> second =
          CompletableFuture.supplyAsync(
              () -> {
                List<InsertResult> answers = new ArrayList<>();
                for (NewEmail email : seconds) {
                  start.await();
                  answers.addAll(another.insert(List.of(email)));
                }
                return answers;
              },
              new OwnThread());
      for (Claim claim : claims) {
        start.await();
        assertThat(store.complete(List.of(Completion.sent(claim, OutcomeDetails.NONE, false))))
            .containsExactly(CompletionResult.APPLIED);
      }

      assertThat(second.join())
          .isEqualTo(
              firsts.stream()
                  .map(first -> new InsertResult(first.id(), InsertResult.Status.EXISTING))
                  .toList());
    }
    assertThat(count("emails")).isZero();
    assertThat(count("log")).isEqualTo(ROUNDS);
    assertThat(count("keys")).isEqualTo(ROUNDS);
  }

  private static List<NewEmail> numbered(int from) {
    return IntStream.range(from, from + AT_ONCE).mapToObj(i -> Samples.keyed("key " + i)).toList();
  }

  @Test
  void aRolledBackHostLeavesTheKeyToWhoeverWaitsForIt() {
    NewEmail first = Samples.keyed("rolled back");
    NewEmail second = Samples.keyed("rolled back");
    CompletableFuture<List<InsertResult>> waiting;
    try (Handle handle = host.open()) {
      handle.begin();
      assertThat(store.transaction(handle).insert(List.of(first))).containsExactly(created(first));
      waiting = waitForKey(second);
      handle.rollback();
    }

    assertThat(waiting.join()).containsExactly(created(second));
    assertThat(store.find(first.id())).isEmpty();
    assertThat(store.find(second.id())).isPresent();
    assertThat(count("keys")).isEqualTo(1);
  }

  @Test
  void whoWaitsForAHostThatCommitsGetsItsReceipt() {
    NewEmail first = Samples.keyed("committed");
    CompletableFuture<List<InsertResult>> waiting;
    try (Handle handle = host.open()) {
      handle.begin();
      assertThat(store.transaction(handle).insert(List.of(first))).containsExactly(created(first));
      waiting = waitForKey(Samples.keyed("committed"));
      handle.commit();
    }

    assertThat(waiting.join()).containsExactly(existing(first));
    assertThat(count("emails")).isEqualTo(1);
  }

  /** Returns once the other sender's insert waits for the key's lock. */
  private CompletableFuture<List<InsertResult>> waitForKey(NewEmail email) {
    CompletableFuture<List<InsertResult>> waiting =
        CompletableFuture.supplyAsync(() -> another.insert(List.of(email)), new OwnThread());
    await()
        .atMost(30, TimeUnit.SECONDS)
        .until(
            () ->
                host.withHandle(
                        handle ->
                            handle
                                .createQuery(
                                    "SELECT COUNT(*) FROM information_schema.innodb_trx"
                                        + " WHERE trx_state = 'LOCK WAIT'")
                                .mapTo(int.class)
                                .one())
                    == 1);
    assertThat(waiting).isNotDone();
    return waiting;
  }

  @Test
  void theWinnerIsFoundBehindAnOlderSnapshotOfTheHost() {
    NewEmail winner = Samples.keyed("older snapshot");
    NewEmail own = Samples.keyed("of the host's own");
    try (Handle handle = snapshot("OFF")) {
      another.insert(List.of(winner));
      assertThat(count(handle, "keys")).as("keys in the host's snapshot").isZero();

      assertThat(store.transaction(handle).insert(List.of(Samples.keyed("older snapshot"), own)))
          .containsExactly(existing(winner), created(own));
      handle.commit();
    }

    assertThat(store.find(own.id())).isPresent();
    assertThat(count("emails")).isEqualTo(2);
  }

  /** There MariaDB itself refuses to go on, and has rolled back what the host did. */
  @Test
  void underSnapshotIsolationTheHostIsToldToRetryAndThenFindsTheWinner() {
    NewEmail winner = Samples.keyed("isolated");
    NewEmail second = Samples.keyed("isolated");
    try (Handle handle = snapshot("ON")) {
      another.insert(List.of(winner));
      assertThatThrownBy(() -> store.transaction(handle).insert(List.of(second)))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("retry your whole transaction");
      handle.rollback();

      handle.begin();
      assertThat(store.transaction(handle).insert(List.of(second)))
          .containsExactly(existing(winner));
      handle.commit();
    }

    assertThat(count("emails")).isEqualTo(1);
  }

  /** Begins a transaction that goes on seeing the tables as they are now. */
  private Handle snapshot(String isolation) {
    Handle handle = host.open();
    handle.execute("SET SESSION innodb_snapshot_isolation = " + isolation);
    handle.setTransactionIsolationLevel(TransactionIsolationLevel.REPEATABLE_READ);
    handle.begin();
    assertThat(count(handle, "keys")).isZero();
    return handle;
  }

  private static InsertResult created(NewEmail email) {
    return new InsertResult(email.id(), InsertResult.Status.CREATED);
  }

  private static InsertResult existing(NewEmail email) {
    return new InsertResult(email.id(), InsertResult.Status.EXISTING);
  }

  private int count(String table) {
    return host.withHandle(handle -> count(handle, table));
  }

  private static int count(Handle handle, String table) {
    return handle.createQuery("SELECT COUNT(*) FROM race_" + table).mapTo(int.class).one();
  }
}
