package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.settings.LeaseSettings;
import dev.outbox.store.OutboxStore;
import dev.outbox.testsupport.MariaDbServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;

/** A lock on the table of nodes blocks all heartbeats, and no node takes that for a death. */
class BlockedHeartbeatTest {

  private static final String PREFIX = "beats_";
  private static final LeaseSettings LEASE =
      new LeaseSettings(Duration.ofMillis(300), Duration.ofSeconds(3));
  private static final Duration LOCKED = Duration.ofSeconds(4);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String url = MariaDbServer.shared().url();
  private final Jdbi database = Jdbi.create(url, "root", "");
  private final List<EmailId> deliveredByWorker = new CopyOnWriteArrayList<>();
  private final List<EmailId> deliveredByWatcher = new CopyOnWriteArrayList<>();
  private final CountDownLatch delivering = new CountDownLatch(1);
  private final CountDownLatch relay = new CountDownLatch(1);
  private final CountDownLatch workerBeats = new CountDownLatch(1);
  private final AtomicInteger watcherBeats = new AtomicInteger();
  private volatile boolean locked;

  @Test
  void noEmailIsReapedWhenALockBlockedAllHeartbeatsForLongerThanALease() {
    try (MySqlStore store =
            MySqlStore.builder(url, "root", "").tablePrefix(PREFIX).applySchema().build();
        Outbox worker = node("worker", blocking(store), this::deliverSlowly);
        Outbox watcher = node("watcher", counting(store), deliveredByWatcher::add)) {
      worker.start();
      EmailId id =
          worker.send(Email.to("ada@example.com").subject("Order").text("Thank you").build()).id();
      await().atMost(PATIENCE).until(() -> delivering.getCount() == 0);
      watcher.start();
      await().atMost(PATIENCE).until(() -> watcherBeats.get() >= 3);

      lockNodes();
      int beats = watcherBeats.get();
      // The watcher is the first whose heartbeat goes on, and looks at the other's counter.
      await().atMost(PATIENCE).until(() -> watcherBeats.get() >= beats + 2);
      workerBeats.countDown();
      locked = false;
      relay.countDown();

      await().atMost(PATIENCE).until(() -> store.find(id).orElseThrow().summary().archived());
      assertThat(store.find(id).orElseThrow().summary().progress().reaps()).isZero();
      assertThat(deliveredByWorker).containsExactly(id);
      assertThat(deliveredByWatcher).isEmpty();
    } finally {
      workerBeats.countDown();
      relay.countDown();
    }
  }

  private void lockNodes() {
    try (Handle handle = database.open()) {
      locked = true;
      handle.execute("LOCK TABLES " + PREFIX + "nodes WRITE");
      long start = System.nanoTime();
      await()
          .pollInterval(Duration.ofMillis(50))
          .atMost(PATIENCE)
          .until(() -> System.nanoTime() - start > LOCKED.toNanos());
      handle.execute("UNLOCK TABLES");
    }
  }

  /** Returns the store as the worker sees it: its heartbeats wait a little longer for the lock. */
  private OutboxStore blocking(OutboxStore store) {
    return beforeEachBeat(
        store,
        () -> {
          if (locked) {
            workerBeats.await();
          }
        });
  }

  private OutboxStore counting(OutboxStore store) {
    return beforeEachBeat(store, watcherBeats::incrementAndGet);
  }

  private interface Action {
    void run() throws InterruptedException;
  }

  private static OutboxStore beforeEachBeat(OutboxStore store, Action action) {
    return (OutboxStore)
        Proxy.newProxyInstance(
            OutboxStore.class.getClassLoader(),
            new Class<?>[] {OutboxStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("heartbeat")) {
                action.run();
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
            });
  }

  private void deliverSlowly(EmailId id) {
    delivering.countDown();
    try {
      relay.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    deliveredByWorker.add(id);
  }

  private static Outbox node(String name, OutboxStore store, Consumer<EmailId> delivered) {
    return Outbox.builder(store)
        .transport(new AcceptingTransport(Duration.ZERO, delivered))
        .defaultFrom("shop@example.com")
        .nodeName(name)
        .lease(LEASE)
        .build();
  }
}
