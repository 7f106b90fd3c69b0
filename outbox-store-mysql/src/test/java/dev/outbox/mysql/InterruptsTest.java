package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.store.NewEmail;
import dev.outbox.store.StoreException;
import dev.outbox.store.StoreException.Reason;
import dev.outbox.testsupport.MariaDbServer;
import java.nio.channels.ClosedByInterruptException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;

/** An interrupt fails the call of the interrupted thread, and no other. */
class InterruptsTest {

  private static final int THREADS = 48;
  private static final int INTERRUPTED = 8;
  private static final int EACH = 60;

  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final Queue<Throwable> failuresOfInterrupted = new ConcurrentLinkedQueue<>();
  private final Set<EmailId> stored = ConcurrentHashMap.newKeySet();
  private final AtomicInteger flagsLost = new AtomicInteger();

  @Test
  void interruptedSendersFailAlone() {
    try (MySqlStore store =
        MySqlStore.builder(MariaDbServer.shared().url(), "root", "")
            .tablePrefix("interrupts_")
            .connections(4)
            .applySchema()
            .build()) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        boolean victim = i < INTERRUPTED;
        threads.add(new Thread(() -> send(store, victim ? failuresOfInterrupted : failures)));
      }
      threads.forEach(Thread::start);
      List<Thread> victims = threads.subList(0, INTERRUPTED);
      await()
          .atMost(Duration.ofMinutes(2))
          .pollInterval(Duration.ofMillis(1))
          .pollDelay(Duration.ZERO)
          .until(
              () -> {
                victims.forEach(Thread::interrupt);
                return threads.stream().noneMatch(Thread::isAlive);
              });

      assertThat(failures).as("failures in threads that were not interrupted").isEmpty();
      assertThat(failuresOfInterrupted)
          .isNotEmpty()
          .allSatisfy(
              thrown -> {
                assertThat(thrown)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("interrupted");
                assertThat(((StoreException) thrown).reason()).isEqualTo(Reason.INTERRUPTED);
              });
      assertThat(flagsLost).as("failed calls that cleared the interrupt flag").hasValue(0);
      assertThat(idsOf("interrupts_emails")).containsAll(stored);
    } finally {
      Jdbi.create(MariaDbServer.shared().url(), "root", "")
          .useHandle(handle -> handle.execute("DELETE FROM interrupts_emails"));
    }
  }

  private void send(MySqlStore store, Queue<Throwable> failed) {
    for (int i = 0; i < EACH; i++) {
      NewEmail email = Samples.email();
      try {
        store.insert(List.of(email));
        stored.add(email.id());
      } catch (RuntimeException e) {
        if (!Thread.currentThread().isInterrupted()) {
          flagsLost.incrementAndGet();
        }
        failed.add(e);
      }
      boolean unused = Thread.interrupted();
    }
  }

  private static List<EmailId> idsOf(String table) {
    return Jdbi.create(MariaDbServer.shared().url(), "root", "")
        .withHandle(
            handle ->
                handle
                    .createQuery("SELECT id FROM " + table)
                    .map((row, context) -> BinaryIds.id(row.getBytes(1)))
                    .list());
  }

  @Test
  void anInterruptDuringTheBackoffEndsTheRetries() {
    HookedSource hooked = new HookedSource("interrupts");
    try (MySqlStore store = MySqlStore.builder(hooked.source()).applySchema().build()) {
      hooked.failBy(
          count -> {
            if (count == 2) {
              Thread.currentThread().interrupt();
            }
            return new SQLTransientConnectionException("gone", "08000");
          });

      StoreException thrown =
          catchThrowableOfType(StoreException.class, () -> store.heartbeat(NodeId.incarnate("a")));

      assertThat(Thread.interrupted()).as("the interrupt flag is kept").isTrue();
      assertThat(thrown.reason()).isEqualTo(Reason.INTERRUPTED);
      assertThat(thrown).hasMessageContaining("interrupted");
      assertThat(hooked.opened()).isEqualTo(2);
    }
  }

  /** H2 reports the interrupt of one thread, which closes its file, to all others. */
  @Test
  void anInterruptOfAnotherThreadIsAnOutageHere() {
    HookedSource hooked = new HookedSource("interrupts");
    try (MySqlStore store = MySqlStore.builder(hooked.source()).applySchema().build()) {
      hooked.failBy(
          count -> new SQLException("closed", "90098", 90098, new ClosedByInterruptException()));

      StoreException thrown =
          catchThrowableOfType(StoreException.class, () -> store.heartbeat(NodeId.incarnate("a")));

      assertThat(Thread.interrupted()).as("this thread was not interrupted").isFalse();
      assertThat(thrown.reason()).isEqualTo(Reason.UNAVAILABLE);
    }
  }

  @Test
  void anInterruptOfThisThreadThatClosedTheFileIsRecognised() {
    HookedSource hooked = new HookedSource("interrupts");
    try (MySqlStore store = MySqlStore.builder(hooked.source()).applySchema().build()) {
      hooked.failBy(
          count -> {
            Thread.currentThread().interrupt();
            return new SQLException("closed", "90098", 90098, new ClosedByInterruptException());
          });

      StoreException thrown =
          catchThrowableOfType(StoreException.class, () -> store.heartbeat(NodeId.incarnate("a")));

      assertThat(Thread.interrupted()).as("the interrupt flag is kept").isTrue();
      assertThat(thrown.reason()).isEqualTo(Reason.INTERRUPTED);
    }
  }

  @Test
  void aPoolThatReportsTheInterruptItselfIsRecognised() {
    HookedSource hooked = new HookedSource("interrupts");
    try (MySqlStore store = MySqlStore.builder(hooked.source()).applySchema().build()) {
      hooked.failBy(count -> new SQLException("waiting", new InterruptedException()));

      StoreException thrown =
          catchThrowableOfType(StoreException.class, () -> store.heartbeat(NodeId.incarnate("a")));

      assertThat(Thread.interrupted()).as("the interrupt flag is restored").isTrue();
      assertThat(thrown.reason()).isEqualTo(Reason.INTERRUPTED);
      assertThat(hooked.opened()).isEqualTo(1);
    }
  }
}
