package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.OutboxBuilder;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.settings.LeaseSettings;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.PriorityLane;
import dev.outbox.testsupport.LogLines;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** A node keeps its lease while the store is slow, and says so when it cannot. */
class LeaseClockTest {

  private static final Duration HALF = Cluster.LEASE.dividedBy(2);

  private final InMemoryStore store = new InMemoryStore();
  private final AtomicLong nanos = new AtomicLong();
  private final RecordingTransport transport = new RecordingTransport();
  private final List<Long> beats = new CopyOnWriteArrayList<>();
  private final Map<String, Runnable> meanwhile = new ConcurrentHashMap<>();

  /** Others may have seen the beat right when it was asked for. */
  @Test
  void aBeatThatIsAnsweredAfterHalfALeaseGivesNoRightToSend() {
    Outbox outbox = builder().monotonicClock(nanos::get).build();
    outbox.send(Cluster.email("ada@example.com"));

    takes("heartbeat", HALF);
    outbox.processDue();
    assertThat(transport.sent()).isEmpty();

    takes("heartbeat", HALF.minusMillis(1));
    store.advance(Duration.ofMinutes(1));
    outbox.processDue();
    assertThat(transport.sent()).hasSize(1);
  }

  @Test
  void aStoreThatIsTooSlowForTheLeaseIsToldOnce() {
    Outbox outbox = builder().monotonicClock(nanos::get).build();
    try (LogLines lines = new LogLines()) {
      takes("heartbeat", HALF);
      outbox.processDue();
      outbox.processDue();
      takes("heartbeat", Duration.ofMillis(1));
      outbox.processDue();
      outbox.processDue();

      assertThat(lines.of(Level.SEVERE)).singleElement().asString().contains("half the lease");
      assertThat(lines.of(Level.INFO))
          .singleElement()
          .asString()
          .contains("in time, processing resumed");
    }
  }

  @Test
  void whoeverTakesTheEmailsOfManyBeatsMeanwhile() {
    int emails = 1_000;
    Outbox outbox = builder().monotonicClock(nanos::get).build();
    outbox.sendAll(Mails.many(emails));
    NodeId dead = NodeId.incarnate("dead");
    store.heartbeat(dead);
    store.claim(
        new ClaimRequest(
            dead, State.ACCEPTED, Map.of(PriorityLane.NORMAL, emails), Long.MAX_VALUE));
    outbox.processDue();
    nanos.addAndGet(Cluster.LEASE.toNanos());
    beats.clear();

    takes("reap", HALF.dividedBy(3));
    outbox.processDue();

    assertThat(transport.sent()).hasSize(emails);
    assertThat(beats).hasSizeGreaterThan(2);
    for (int i = 1; i < beats.size(); i++) {
      assertThat(Duration.ofNanos(beats.get(i) - beats.get(i - 1)))
          .as("time between two beats")
          .isLessThan(HALF);
    }
  }

  @Test
  void theHeartBeatsWhileResultsAreRecordedSlowly() {
    AtomicBoolean answers = new AtomicBoolean();
    meanwhile.put("complete", () -> await().untilTrue(answers));
    LeaseSettings lease = new LeaseSettings(Duration.ofMillis(10), Duration.ofSeconds(1));
    try (Outbox outbox = builder().lease(lease).build().start()) {
      outbox.send(Cluster.email("ada@example.com"));
      await().until(() -> transport.sent().size() == 1);
      int before = beats.size();

      await().until(() -> beats.size() > before + 10);
      answers.set(true);
      await().until(() -> outbox.stats().sent() == 1);
    }
  }

  private OutboxBuilder builder() {
    return Outbox.builder(slow()).transport(transport).defaultFrom("shop@example.com");
  }

  private void takes(String method, Duration time) {
    meanwhile.put(method, () -> nanos.addAndGet(time.toNanos()));
  }

  private OutboxStore slow() {
    return (OutboxStore)
        Proxy.newProxyInstance(
            LeaseClockTest.class.getClassLoader(),
            new Class<?>[] {OutboxStore.class},
            (proxy, method, args) -> {
              if (method.getName().equals("heartbeat")) {
                beats.add(nanos.get());
              }
              meanwhile.getOrDefault(method.getName(), () -> {}).run();
              try {
                return method.invoke(store, args);
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
            });
  }
}
