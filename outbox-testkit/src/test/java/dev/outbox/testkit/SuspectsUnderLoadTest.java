package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.settings.LeaseSettings;
import dev.outbox.settings.ProcessingSettings;
import dev.outbox.settings.UnknownOutcomePolicy;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.NodeHeartbeat;
import dev.outbox.store.PriorityLane;
import dev.outbox.store.ReapPolicy;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Looking for emails whose workers have died does not stop the others. */
class SuspectsUnderLoadTest {

  private final InMemoryStore memory = new InMemoryStore();
  private final HookedStore store = new HookedStore(memory);
  private final RecordingTransport transport = new RecordingTransport();
  private final AtomicLong nanos = new AtomicLong();
  private final CountDownLatch relay = new CountDownLatch(1);
  private final CountDownLatch delivering = new CountDownLatch(1);

  @AfterEach
  void release() {
    relay.countDown();
  }

  @Test
  void aClaimRoundWithEmailsInFlightAndNoSuspectDoesNotWait() {
    hangFirstDelivery();
    try (Outbox outbox = node()) {
      outbox.send(Mails.plain());
      outbox.start();
      await().until(() -> delivering.getCount() == 0);
      nanos.addAndGet(Duration.ofSeconds(11).toNanos());
      await().until(this::hasLookedForSuspects);
      EmailId next = outbox.send(Mails.plain()).id();

      // The clock stands still but for this: a wait of two seconds would not end.
      nanos.addAndGet(Duration.ofSeconds(1).toNanos());

      await()
          .until(
              () -> transport.sent().stream().anyMatch(email -> email.message().id().equals(next)));
      relay.countDown();
    }
  }

  @Test
  void aSuspectIsNotStartedWhileAnotherEmailIsInFlight() {
    EmailId suspect = suspect();
    hangFirstDelivery();
    try (Outbox outbox = node()) {
      EmailId first = outbox.send(Mails.plain()).id();
      outbox.start();
      await().until(() -> delivering.getCount() == 0);
      nanos.addAndGet(Duration.ofSeconds(11).toNanos());
      await().until(() -> memory.find(suspect).orElseThrow().summary().owner() != null);

      await()
          .during(Duration.ofMillis(300))
          .until(() -> memory.find(suspect).orElseThrow().summary().state() == State.INTAKING);
      assertThat(transport.sent()).isEmpty();
      relay.countDown();

      await().until(() -> transport.sent().size() == 2);
      assertThat(transport.sent())
          .extracting(email -> email.message().id())
          .containsExactly(first, suspect);
    }
  }

  @Test
  void aSuspectIsServedAlthoughTheClaimerWasInterrupted() {
    EmailId suspect = suspect();
    hangFirstDelivery();
    store.after(
        "claim",
        arguments -> {
          if (isForSuspects((ClaimRequest) arguments.get(0))) {
            Thread.currentThread().interrupt();
          }
        });
    try (Outbox outbox = node()) {
      outbox.send(Mails.plain());
      outbox.start();
      await().until(() -> delivering.getCount() == 0);

      nanos.addAndGet(Duration.ofSeconds(11).toNanos());

      await().until(() -> transport.sent().size() == 1);
      assertThat(transport.sent()).extracting(email -> email.message().id()).contains(suspect);
      relay.countDown();
    }
  }

  private void hangFirstDelivery() {
    transport.answerNext(
        envelope -> {
          delivering.countDown();
          try {
            relay.await(30, TimeUnit.SECONDS);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return RecordingTransport.accept(envelope);
        });
  }

  private boolean hasLookedForSuspects() {
    return store.callsOf("claim").stream()
        .map(arguments -> (ClaimRequest) arguments.get(0))
        .anyMatch(request -> request.from() == State.READY && isForSuspects(request));
  }

  private static boolean isForSuspects(ClaimRequest request) {
    return request.shares().keySet().equals(Set.of(PriorityLane.SUSPECT));
  }

  /** Stores an email whose worker has died. */
  private EmailId suspect() {
    EmailId id;
    try (Outbox web = Outbox.builder(memory).defaultFrom("shop@example.com").build()) {
      id = web.send(Mails.plain()).id();
    }
    NodeId dead = NodeId.incarnate("dead");
    NodeHeartbeat last =
        memory.heartbeat(dead).stream()
            .filter(beat -> beat.node().equals(dead))
            .findFirst()
            .orElseThrow();
    memory.claim(
        new ClaimRequest(dead, State.ACCEPTED, Map.of(PriorityLane.NORMAL, 1), Long.MAX_VALUE));
    assertThat(memory.reap(dead, last.beat(), new ReapPolicy(1, 5, UnknownOutcomePolicy.RESEND), 1))
        .hasSize(1);
    memory.deregister(dead);
    return id;
  }

  private Outbox node() {
    return Outbox.builder(store.store())
        .transport(transport)
        .defaultFrom("shop@example.com")
        .monotonicClock(nanos::get)
        .lease(new LeaseSettings(Duration.ofMillis(20), Duration.ofMinutes(1)))
        .processing(ProcessingSettings.DEFAULT.pollInterval(Duration.ofMillis(20)))
        .build();
  }
}
