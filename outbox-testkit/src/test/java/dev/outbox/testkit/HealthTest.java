package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.OutboxBuilder;
import dev.outbox.monitoring.NodeStatus;
import dev.outbox.monitoring.OutboxHealth;
import dev.outbox.settings.LeaseSettings;
import dev.outbox.settings.ProcessingSettings;
import dev.outbox.store.StoreException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Health is what the node knows by itself; no question about it reaches the store. */
class HealthTest {

  private final InMemoryStore memory = new InMemoryStore();
  private final HookedStore store = new HookedStore(memory);
  private final RecordingTransport transport = new RecordingTransport();
  private final AtomicLong nanos = new AtomicLong();
  private final CountDownLatch answered = new CountDownLatch(1);

  @AfterEach
  void answer() {
    store.clear();
    answered.countDown();
  }

  @Test
  void aNodeIsDownThreeSecondsAfterItsStoreStoppedAnswering() {
    try (Outbox outbox = sending().build().start()) {
      await().until(() -> outbox.health().lastHeartbeat().isPresent());
      hang();
      assertThat(outbox.health().isUp()).isTrue();
      nanos.addAndGet(Duration.ofMillis(2_700).toNanos());
      assertThat(outbox.health().isUp()).as("while a heartbeat may be under way").isTrue();

      nanos.addAndGet(Duration.ofMillis(300).toNanos());

      OutboxHealth health = outbox.health();
      assertThat(health.isUp()).isFalse();
      assertThat(health.lastHeartbeat()).contains(Duration.ofSeconds(3));
      assertThat(health.unreachableFor()).contains(Duration.ofSeconds(3));
      answered.countDown();
    }
  }

  @Test
  void aNodeIsUpAgainWhenItsStoreAnswers() {
    LeaseSettings fast = new LeaseSettings(Duration.ofMillis(20), Duration.ofSeconds(15));
    try (Outbox outbox = sending().lease(fast).build().start()) {
      await().until(() -> outbox.health().lastHeartbeat().isPresent());
      hang();
      nanos.addAndGet(Duration.ofSeconds(3).toNanos());
      await().until(() -> !outbox.health().isUp());

      answered.countDown();

      await().until(() -> outbox.health().isUp());
      assertThat(outbox.health().unreachableFor()).isEmpty();
    }
  }

  @Test
  void aNodeWhoseStoreFailsIsDownAtOnceAndCountsWhatItCannotRecord() {
    StoreException failure = new StoreException(StoreException.Reason.UNAVAILABLE, "gone", null);
    try (Outbox outbox = sending().build().start()) {
      await().until(() -> outbox.health().lastHeartbeat().isPresent());
      for (String method : new String[] {"complete", "heartbeat"}) {
        store.before(
            method,
            arguments -> {
              throw failure;
            });
      }
      outbox.send(Mails.plain());
      nanos.addAndGet(Duration.ofSeconds(1).toNanos());

      await().until(() -> outbox.health().unrecordedResults() == 1);
      await().until(() -> !outbox.health().isUp());
      nanos.addAndGet(Duration.ofSeconds(2).toNanos());
      assertThat(outbox.health().nodeStatus()).isEqualTo(NodeStatus.STORE_UNAVAILABLE);
      assertThat(outbox.health().unreachableFor().orElseThrow())
          .isGreaterThanOrEqualTo(Duration.ofSeconds(2));
      store.clear();
      await().until(() -> outbox.health().unrecordedResults() == 0);
    }
  }

  @Test
  void aPauseIsReportedAndIsNotDown() {
    try (Outbox outbox = sending().build().start()) {
      assertThat(outbox.health().isPaused()).isFalse();
      outbox.pause();

      OutboxHealth health = outbox.health();

      assertThat(health.isPaused()).isTrue();
      assertThat(health.nodeStatus()).isEqualTo(NodeStatus.PAUSED);
      assertThat(health.isUp()).isTrue();
    }
  }

  @Test
  void anOutboxThatOnlyStoresIsUp() {
    try (Outbox web = Outbox.builder(store.store()).monotonicClock(nanos::get).build()) {
      nanos.addAndGet(Duration.ofMinutes(1).toNanos());

      assertThat(web.health().isUp()).isTrue();
      assertThat(web.health().lastHeartbeat()).isEmpty();
    }
  }

  @Test
  void aNodeThatWasStartedLongAfterItWasBuiltIsUp() {
    hang();
    try (Outbox outbox = sending().build()) {
      nanos.addAndGet(Duration.ofMinutes(1).toNanos());
      assertThat(outbox.health().isUp()).as("before it is started").isTrue();
      outbox.start();

      assertThat(outbox.health().isUp()).as("before its first heartbeat").isTrue();
      nanos.addAndGet(Duration.ofSeconds(3).toNanos());
      assertThat(outbox.health().isUp()).as("without any heartbeat").isFalse();
      answered.countDown();
    }
  }

  @Test
  void aNodeOneOfWhoseThreadsHasEndedIsDown() throws ReflectiveOperationException {
    try (Outbox outbox = sending().nodeName("ended").build().start()) {
      assertThat(outbox.health().endedThreads()).isEmpty();
      endClaimer(outbox);

      await().until(() -> !outbox.health().endedThreads().isEmpty());

      assertThat(outbox.health().endedThreads()).containsExactly("outbox-ended-claimer");
      assertThat(outbox.health().isUp()).isFalse();
    }
  }

  @Test
  void anInterruptDoesNotEndTheHeartbeat() {
    LeaseSettings fast = new LeaseSettings(Duration.ofMillis(20), Duration.ofSeconds(15));
    try (Outbox outbox = sending().lease(fast).build().start()) {
      store.before("heartbeat", arguments -> Thread.currentThread().interrupt());
      int beats = store.callsOf("heartbeat").size();

      await().until(() -> store.callsOf("heartbeat").size() >= beats + 3);

      assertThat(outbox.health().endedThreads()).isEmpty();
    }
  }

  @Test
  void aClosedOutboxIsUpAndNamesNoThread() {
    Outbox outbox = sending().build().start();
    outbox.close();

    assertThat(outbox.health().isUp()).isTrue();
    assertThat(outbox.health().endedThreads()).isEmpty();
  }

  @Test
  void theBacklogIsThatOfTheLastCount() {
    try (Outbox outbox = sending().build().start()) {
      outbox.pause();
      outbox.send(Mails.plain());
      memory.advance(Duration.ofMinutes(20));
      assertThat(outbox.health().backlog()).isEmpty();
      nanos.addAndGet(Duration.ofSeconds(11).toNanos());

      await().until(() -> outbox.health().backlog().isPresent());

      assertThat(outbox.health().backlog().orElseThrow())
          .isBetween(Duration.ofMinutes(20), Duration.ofMinutes(21));
    }
  }

  @Test
  void askingForHealthMakesNoCallOfTheStore() {
    try (Outbox outbox = sending().build()) {
      for (int i = 0; i < 10; i++) {
        outbox.health();
      }
      assertThat(store.callsOf("stats")).isEmpty();
      assertThat(store.callsOf("heartbeat")).isEmpty();
    }
  }

  /** Ends the thread that claims, which nothing that a store or a host does can end. */
  private static void endClaimer(Outbox outbox) throws ReflectiveOperationException {
    Object claimer = field(field(field(outbox, "engine"), "processor"), "claimLoop");
    Method stop = claimer.getClass().getDeclaredMethod("stop");
    stop.setAccessible(true);
    stop.invoke(claimer);
  }

  private static Object field(Object owner, String name) throws ReflectiveOperationException {
    Field field = owner.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(owner);
  }

  private void hang() {
    store.before("heartbeat", arguments -> answered.await());
  }

  private OutboxBuilder sending() {
    return Outbox.builder(store.store())
        .transport(transport)
        .defaultFrom("shop@example.com")
        .monotonicClock(nanos::get)
        .processing(ProcessingSettings.DEFAULT.pollInterval(Duration.ofMillis(20)));
  }
}
