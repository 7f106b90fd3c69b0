package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.PriorityLane;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A heartbeat that was blocked shows nothing about nodes that were blocked with it. */
class SlowHeartbeatTest {

  private static final long BLOCKED = Duration.ofSeconds(20).toNanos();

  private final AtomicLong nanos = new AtomicLong();
  private final InMemoryStore store =
      new InMemoryStore(Clock.fixed(Instant.parse("2030-01-01T00:00:00Z"), ZoneOffset.UTC));
  private final HookedStore watched = new HookedStore(store);
  private final RecordingTransport watcherTransport = new RecordingTransport();
  private final RecordingTransport workerTransport = new RecordingTransport();
  private final Outbox watcher = node("watcher", watched.store(), watcherTransport);
  private final Outbox worker = node("worker", store, workerTransport);

  @Test
  void aNodeThatWasBlockedByTheSameLockIsNotReaped() {
    EmailId id = worker.send(Mails.plain()).id();
    workerTransport.answerNext(
        envelope -> {
          watcher.processDue();
          watched.before("heartbeat", arguments -> nanos.addAndGet(BLOCKED));
          watcher.processDue();
          watched.clear();
          nanos.addAndGet(Duration.ofSeconds(2).toNanos());
          watcher.processDue();
          return RecordingTransport.accept(envelope);
        });

    worker.processDue();

    assertNotReaped(id);
  }

  @Test
  void aHeartbeatThatIsBlockedBetweenTwoBatchesOfADeadNodeCountsToo() {
    NodeId dead = NodeId.incarnate("dead");
    store.heartbeat(dead);
    watcher.send(Mails.plain());
    store.claim(
        new ClaimRequest(dead, State.ACCEPTED, Map.of(PriorityLane.NORMAL, 1), Long.MAX_VALUE));
    watcher.processDue();
    nanos.addAndGet(Duration.ofSeconds(16).toNanos());
    EmailId id = worker.send(Mails.plain()).id();
    workerTransport.answerNext(
        envelope -> {
          AtomicInteger beats = new AtomicInteger();
          watched.before(
              "heartbeat",
              arguments -> nanos.addAndGet(beats.incrementAndGet() == 2 ? BLOCKED : 0));
          watched.after("reap", arguments -> nanos.addAndGet(Duration.ofSeconds(4).toNanos()));
          watcher.processDue();
          assertThat(beats.get()).as("heartbeats while it took emails").isGreaterThan(1);
          watched.clear();
          watcher.processDue();
          return RecordingTransport.accept(envelope);
        });

    worker.processDue();

    assertNotReaped(id);
  }

  @Test
  void aDeadNodeIsReapedOneLeaseAfterASlowHeartbeat() {
    NodeId dead = NodeId.incarnate("dead");
    store.heartbeat(dead);
    EmailId id = watcher.send(Mails.plain()).id();
    store.claim(
        new ClaimRequest(dead, State.ACCEPTED, Map.of(PriorityLane.NORMAL, 1), Long.MAX_VALUE));
    watcher.processDue();
    watched.before("heartbeat", arguments -> nanos.addAndGet(BLOCKED));
    watcher.processDue();
    watched.clear();
    nanos.addAndGet(Duration.ofSeconds(14).toNanos());
    watcher.processDue();
    assertThat(watcherTransport.sent()).as("before a lease has passed").isEmpty();

    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    watcher.processDue();

    assertThat(store.find(id).orElseThrow().summary().progress().reaps()).isEqualTo(1);
    assertThat(watcherTransport.sent()).hasSize(1);
  }

  private void assertNotReaped(EmailId id) {
    assertThat(workerTransport.sent()).extracting(email -> email.message().id()).contains(id);
    assertThat(watcherTransport.sent())
        .extracting(email -> email.message().id())
        .doesNotContain(id);
    assertThat(store.find(id).orElseThrow().summary().progress().reaps()).isZero();
  }

  private Outbox node(String name, OutboxStore seen, RecordingTransport transport) {
    return Outbox.builder(seen)
        .transport(transport)
        .monotonicClock(nanos::get)
        .nodeName(name)
        .defaultFrom("shop@example.com")
        .build();
  }
}
