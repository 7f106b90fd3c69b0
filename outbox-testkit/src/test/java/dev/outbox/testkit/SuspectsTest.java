package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.settings.LeaseSettings;
import dev.outbox.settings.ProcessingSettings;
import dev.outbox.settings.UnknownOutcomePolicy;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.NodeHeartbeat;
import dev.outbox.store.PriorityLane;
import dev.outbox.store.ReapPolicy;
import dev.outbox.store.StateCount;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** An email whose workers have died is tried again, and puts no other at risk. */
class SuspectsTest {

  private static final int SUSPECTS = 4;

  private final InMemoryStore store = new InMemoryStore();
  private final RecordingTransport transport = new RecordingTransport();
  private final AtomicLong ahead = new AtomicLong();

  @Test
  void aStartedNodeServesThemOneAtATime() {
    List<Integer> held = new CopyOnWriteArrayList<>();
    transport.answer(
        envelope -> {
          // Long enough for another to be claimed meanwhile, if anybody would.
          await().pollDelay(Duration.ofMillis(100)).until(() -> true);
          held.add(count(State.INTAKING) + count(State.PROCESSING));
          return RecordingTransport.accept(envelope);
        });
    try (Outbox outbox =
        Outbox.builder(store)
            .transport(transport)
            .defaultFrom("shop@example.com")
            .monotonicClock(() -> System.nanoTime() + ahead.get())
            .lease(new LeaseSettings(Duration.ofMillis(20), Duration.ofMinutes(1)))
            .processing(ProcessingSettings.DEFAULT.pollInterval(Duration.ofMillis(20)))
            .build()) {
      outbox.sendAll(Mails.many(SUSPECTS));
      makeSuspects();
      outbox.start();
      ahead.addAndGet(Duration.ofSeconds(11).toNanos());

      await().until(() -> outbox.stats().sent() == SUSPECTS);
    }
    assertThat(held).hasSize(SUSPECTS).containsOnly(1);
  }

  private void makeSuspects() {
    NodeId dead = NodeId.incarnate("dead");
    NodeHeartbeat last =
        store.heartbeat(dead).stream()
            .filter(beat -> beat.node().equals(dead))
            .findFirst()
            .orElseThrow();
    store.claim(
        new ClaimRequest(
            dead, State.ACCEPTED, Map.of(PriorityLane.NORMAL, SUSPECTS), Long.MAX_VALUE));
    assertThat(
            store.reap(
                dead, last.beat(), new ReapPolicy(1, 5, UnknownOutcomePolicy.RESEND), SUSPECTS))
        .hasSize(SUSPECTS);
    store.deregister(dead);
  }

  private int count(State state) {
    StateCount count = store.stats().get(state);
    return count == null ? 0 : count.count();
  }
}
