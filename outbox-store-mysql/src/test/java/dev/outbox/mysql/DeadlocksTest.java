package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.store.InsertResult;
import dev.outbox.store.NewEmail;
import dev.outbox.store.Sha256;
import dev.outbox.testsupport.MariaDbServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Many nodes at once never lock each other's rows in two orders. */
class DeadlocksTest {

  private static final int NODES = 4;
  private static final int WORKERS = 8;
  private static final int EMAILS = 20_000;
  private static final int BATCH = 250;
  private static final int KEYS = 100;
  private static final int KEY_ROUNDS = 30;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Its own, because the counter is the server's: what other tests leave behind would count. */
  private static final MariaDbServer SERVER = MariaDbServer.start(MariaDbServer.freshData(), 0);

  private final String url = SERVER.url();
  private final Jdbi database = Jdbi.create(url, "root", "");
  private final Set<EmailId> delivered = ConcurrentHashMap.newKeySet();
  private final AtomicInteger deliveries = new AtomicInteger();

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  @Test
  void nodesThatClaimAndArchiveTogetherNeverDeadlock() {
    List<MySqlStore> stores = new ArrayList<>();
    List<Outbox> nodes = new ArrayList<>();
    try {
      for (int i = 0; i < NODES; i++) {
        MySqlStore store =
            MySqlStore.builder(url, "root", "").tablePrefix("locks_").applySchema().build();
        stores.add(store);
        nodes.add(node(store));
      }
      long before = deadlocks();
      nodes.forEach(Outbox::start);
      CompletableFuture.allOf(
              nodes.stream()
                  .map(node -> CompletableFuture.runAsync(() -> send(node), new OwnThread()))
                  .toArray(CompletableFuture[]::new))
          .join();
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(logged())
                      .as("%s delivered, %s", deliveries, stores.get(0).stats())
                      .isEqualTo(EMAILS));

      assertThat(deadlocks()).as("deadlocks; the last one: %s", lastDeadlock()).isEqualTo(before);
      assertThat(delivered).hasSize(EMAILS);
      assertThat(deliveries).hasValue(EMAILS);
    } finally {
      nodes.forEach(Outbox::close);
      stores.forEach(MySqlStore::close);
    }
  }

  /** A scan would wait for rows of other nodes, which they lock in another order. */
  @Test
  void manyRowsOfASmallTableAreLockedByTheirKeysAndNotByAScan() {
    try (MySqlStore store =
        MySqlStore.builder(url, "root", "").tablePrefix("plans_").applySchema().build()) {
      List<NewEmail> emails = Stream.generate(Samples::email).limit(600).toList();
      store.insert(emails);
      String ids =
          emails.stream()
              .limit(256)
              .map(email -> "x'" + email.id().toString().replace("-", "") + "'")
              .collect(Collectors.joining(", "));
      SqlStatements sql = new SqlStatements(SqlDialect.MARIADB, true, "plans_");
      database.useHandle(
          handle -> {
            handle.execute("ANALYZE TABLE plans_emails");
            for (String statement :
                List.of(
                    sql.emailsForUpdate,
                    sql.claim,
                    sql.proceed,
                    sql.dropContent,
                    sql.deleteEmails)) {
              String filled = statement.replace("<ids>", ids).replaceAll(":\\w+", "NULL");
              assertThat(access(handle, filled)).as(statement).isEqualTo("range");
            }
          });
    }
  }

  private static String access(Handle handle, String statement) {
    return handle
        .createQuery("EXPLAIN " + statement)
        .map((row, context) -> row.getString("type"))
        .one();
  }

  /** Each has half of the keys when it meets the other, unless both take them in one order. */
  @Test
  void sendersWhoHaveTheSameKeysInOppositeOrderNeverDeadlock() {
    try (MySqlStore one = keeping();
        MySqlStore other = keeping()) {
      long before = deadlocks();
      Meeting start = new Meeting();
      CompletableFuture<List<InsertResult.Status>> up =
          CompletableFuture.supplyAsync(
              () -> sendAllKeys(one, start, Comparator.naturalOrder()), new OwnThread());
      CompletableFuture<List<InsertResult.Status>> down =
          CompletableFuture.supplyAsync(
              () -> sendAllKeys(other, start, Comparator.reverseOrder()), new OwnThread());

      await().atMost(PATIENCE).until(() -> up.isDone() && down.isDone());

      assertThat(deadlocks()).as("deadlocks; the last one: %s", lastDeadlock()).isEqualTo(before);
      assertThat(Stream.concat(up.join().stream(), down.join().stream()))
          .hasSize(2 * KEY_ROUNDS * KEYS)
          .filteredOn(InsertResult.Status.CREATED::equals)
          .hasSize(KEY_ROUNDS * KEYS);
    }
  }

  private MySqlStore keeping() {
    return MySqlStore.builder(url, "root", "").tablePrefix("keys_").applySchema().build();
  }

  private static List<InsertResult.Status> sendAllKeys(
      MySqlStore store, Meeting start, Comparator<String> order) {
    List<InsertResult.Status> answers = new ArrayList<>();
    for (int round = 0; round < KEY_ROUNDS; round++) {
      String prefix = "round " + round + " key ";
      List<NewEmail> emails =
          IntStream.range(0, KEYS)
              .mapToObj(number -> Sha256.of(prefix + number).hex())
              .sorted(order)
              .map(Sha256::new)
              .map(Samples::keyed)
              .toList();
      start.await();
      store.insert(emails).forEach(answer -> answers.add(answer.status()));
    }
    return answers;
  }

  /** Without this a counter that always says zero would do. */
  @Test
  void theCounterMovesWhenThereIsADeadlock() {
    database.useHandle(
        handle -> {
          handle.execute("CREATE OR REPLACE TABLE locks_pair (id INT PRIMARY KEY, n INT NOT NULL)");
          handle.execute("INSERT INTO locks_pair VALUES (1, 0), (2, 0)");
        });
    long before = deadlocks();
    Meeting bothHoldOne = new Meeting();
    CompletableFuture<Void> up =
        CompletableFuture.runAsync(() -> lock(1, 2, bothHoldOne), new OwnThread());
    CompletableFuture<Void> down =
        CompletableFuture.runAsync(() -> lock(2, 1, bothHoldOne), new OwnThread());
    await().atMost(PATIENCE).until(() -> up.isDone() && down.isDone());

    assertThat(up.isCompletedExceptionally()).isNotEqualTo(down.isCompletedExceptionally());
    assertThat(deadlocks()).isEqualTo(before + 1);
  }

  private void lock(int first, int second, Meeting bothHoldOne) {
    database.useTransaction(
        handle -> {
          handle.execute("UPDATE locks_pair SET n = n + 1 WHERE id = ?", first);
          bothHoldOne.await();
          handle.execute("UPDATE locks_pair SET n = n + 1 WHERE id = ?", second);
        });
  }

  private String lastDeadlock() {
    return database.withHandle(
        handle ->
            handle
                .createQuery("SHOW ENGINE INNODB STATUS")
                .map((row, context) -> row.getString("Status"))
                .one()
                .replaceAll("(?s).*(LATEST DETECTED DEADLOCK.*?)TRANSACTIONS\n.*", "$1"));
  }

  private Outbox node(MySqlStore store) {
    return Outbox.builder(store)
        .transport(
            new AcceptingTransport(
                Duration.ZERO,
                id -> {
                  delivered.add(id);
                  deliveries.incrementAndGet();
                }))
        .defaultFrom("shop@example.com")
        .workers(WORKERS)
        .build();
  }

  private static void send(Outbox node) {
    for (int sent = 0; sent < EMAILS / NODES; sent += BATCH) {
      var unused =
          node.sendAll(
              IntStream.range(0, BATCH)
                  .mapToObj(
                      number ->
                          Email.to("ada@example.com").subject("Order").text("Thank you").build())
                  .toList());
    }
  }

  private long deadlocks() {
    return database.withHandle(
        handle ->
            handle
                .createQuery("SHOW GLOBAL STATUS LIKE 'Innodb_deadlocks'")
                .map((row, context) -> row.getLong(2))
                .one());
  }

  private int logged() {
    return database.withHandle(
        handle -> handle.createQuery("SELECT COUNT(*) FROM locks_log").mapTo(int.class).one());
  }
}
