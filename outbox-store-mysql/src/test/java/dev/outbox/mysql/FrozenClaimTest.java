package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.settings.LeaseSettings;
import dev.outbox.store.NodeHeartbeat;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.ReapPolicy;
import dev.outbox.store.ReapedEmail;
import dev.outbox.testsupport.MariaDbServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node that is frozen inside its claim keeps its row locked, and stops no other node. */
class FrozenClaimTest {

  private static final String PREFIX = "frozen_";
  private static final NodeId FROZEN = NodeId.incarnate("frozen");
  private static final LeaseSettings LEASE =
      new LeaseSettings(Duration.ofMillis(200), Duration.ofSeconds(2));
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final String url = MariaDbServer.shared().url();
  private final Jdbi database = Jdbi.create(url, "root", "");
  private MySqlStore store;
  private EmailId email;
  private Handle claim;

  /** Leaves a transaction open that has locked the node, as a claim does. */
  @BeforeEach
  void freeze() {
    store = MySqlStore.builder(url, "root", "").tablePrefix(PREFIX).applySchema().build();
    try (Outbox sender = Outbox.builder(store).defaultFrom("shop@example.com").build()) {
      email =
          sender.send(Email.to("ada@example.com").subject("Order").text("Thank you").build()).id();
    }
    assertThat(Samples.claim(store, FROZEN, 1)).hasSize(1);
    claim = database.open();
    claim.begin();
    claim
        .select("SELECT beat FROM frozen_nodes WHERE node = ? FOR UPDATE", FROZEN.value())
        .mapTo(Long.class)
        .one();
  }

  @AfterEach
  void close() {
    claim.rollback();
    claim.close();
    store.close();
    database.useHandle(
        handle ->
            Stream.of("emails", "log", "contents", "statuses", "keys", "nodes", "schema")
                .forEach(table -> handle.execute("DROP TABLE IF EXISTS " + PREFIX + table)));
  }

  @Test
  void reapingItReturnsAtOnceAndTakesItsEmailsOnceItIsUnlocked() throws Exception {
    assertThat(soon(() -> store.reap(FROZEN, 0, ReapPolicy.DEFAULT, 10))).isEmpty();
    assertThat(soon(this::retire)).as("it still holds an email").contains(FROZEN);

    claim.rollback();

    assertThat(store.reap(FROZEN, 0, ReapPolicy.DEFAULT, 10))
        .extracting(ReapedEmail::id)
        .containsExactly(email);
  }

  @Test
  void anotherNodeKeepsBeatingAndTakesItsEmailsOnceItIsUnlocked() {
    List<EmailId> delivered = new CopyOnWriteArrayList<>();
    AtomicInteger reaps = new AtomicInteger();
    try (Outbox other =
        Outbox.builder(counting(reaps))
            .transport(new AcceptingTransport(Duration.ZERO, delivered::add))
            .defaultFrom("shop@example.com")
            .nodeName("other")
            .lease(LEASE)
            .build()) {
      other.start();
      // Each call is on the thread of the heartbeat, one for each heartbeat.
      await().atMost(PATIENCE).until(() -> reaps.get() >= 3);
      assertThat(delivered).isEmpty();

      claim.rollback();

      await().atMost(PATIENCE).until(() -> delivered.contains(email));
    }
  }

  private List<NodeId> retire() {
    store.deregister(FROZEN);
    return store.heartbeat(NodeId.incarnate("other")).stream().map(NodeHeartbeat::node).toList();
  }

  /** Returns a result that does not wait for a lock, which takes 50 s by default. */
  private static <T> T soon(Supplier<T> call) throws Exception {
    return CompletableFuture.supplyAsync(call, new OwnThread()).get(2, TimeUnit.SECONDS);
  }

  private OutboxStore counting(AtomicInteger reaps) {
    return (OutboxStore)
        Proxy.newProxyInstance(
            OutboxStore.class.getClassLoader(),
            new Class<?>[] {OutboxStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("reap")) {
                reaps.incrementAndGet();
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
            });
  }
}
