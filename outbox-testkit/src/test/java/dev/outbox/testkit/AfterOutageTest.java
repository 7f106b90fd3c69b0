package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import dev.outbox.monitoring.NodeStatus;
import dev.outbox.settings.LeaseSettings;
import dev.outbox.store.StoreException;
import dev.outbox.testkit.Cluster.Node;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The order of things once the store is back: watch anew, record, and only then take and claim. */
class AfterOutageTest {

  private final Cluster cluster = new Cluster();

  @Test
  void timeInWhichANodeCouldNotLookSaysNothingAboutTheOthers() {
    Node first = cluster.node();
    Node second = cluster.node();
    EmailId id = first.outbox().send(Cluster.email("ada@example.com")).id();
    first
        .transport()
        .answerNext(
            envelope -> {
              second.process();
              first.faults().down(true);
              second.faults().down(true);
              return RecordingTransport.accept(envelope);
            });
    first.process();
    for (int i = 0; i < 20; i++) {
      cluster.advance(Duration.ofSeconds(2));
      first.process();
      second.process();
    }

    second.faults().down(false);
    second.process();

    assertThat(cluster.state(id)).isEqualTo(State.PROCESSING);
    first.faults().down(false);
    first.process();
    assertThat(cluster.find(id).summary().archived()).isTrue();
    assertThat(second.transport().sent()).isEmpty();
  }

  @Test
  void nothingIsTakenFromTheDeadBeforeTheOwnResultsAreRecorded() {
    Node doomed = cluster.node();
    Node other = cluster.node();
    EmailId id = doomed.outbox().send(Cluster.email("ada@example.com")).id();
    doomed
        .transport()
        .answerNext(
            envelope -> {
              doomed.die();
              return RecordingTransport.accept(envelope);
            });
    doomed.process();
    other.process();
    other.outbox().send(Cluster.email("bob@example.com"));
    other.faults().loseAnswersOf("complete");
    other.process();
    assertThat(other.transport().sent()).hasSize(1);

    cluster.advance(Cluster.LEASE);
    other.process();

    assertThat(cluster.state(id)).as("while a result is kept").isEqualTo(State.PROCESSING);
    other.faults().loseNoAnswers();
    cluster.watchForALease(other);
    assertThat(cluster.find(id).summary().archived()).isTrue();
  }

  @Test
  void nothingIsClaimedOnceAResultCouldNotBeRecorded() {
    Node node = cluster.node();
    AtomicInteger claims = new AtomicInteger();
    node.outbox().send(Cluster.email("ada@example.com"));
    node.transport()
        .answerNext(
            envelope -> {
              node.faults().loseAnswersOf("complete");
              claims.set(node.faults().callsOf("claim"));
              return RecordingTransport.accept(envelope);
            });

    node.process();

    assertThat(claims).hasPositiveValue();
    assertThat(node.faults().callsOf("claim")).isEqualTo(claims.get());
  }

  @Test
  void theOutageLastsUntilTheKeptResultsAreRecorded() {
    StoreGate gate = new StoreGate(new InMemoryStore());
    List<NodeStatus> whenAsked = new CopyOnWriteArrayList<>();
    RecordingTransport transport = new RecordingTransport();
    try (Outbox outbox =
        Outbox.builder(gate.store())
            .transport(transport)
            .defaultFrom("shop@example.com")
            .lease(new LeaseSettings(Duration.ofMillis(20), Duration.ofSeconds(1)))
            .build()) {
      gate.fail(
          "complete",
          () -> {
            whenAsked.add(outbox.status());
            return new StoreException(StoreException.Reason.UNAVAILABLE, "unavailable", null);
          });
      outbox.start();
      outbox.send(Cluster.email("ada@example.com"));
      await().until(() -> whenAsked.size() > 3);

      // The first failure begins it; every later try is made while it lasts.
      assertThat(whenAsked.subList(1, whenAsked.size())).containsOnly(NodeStatus.STORE_UNAVAILABLE);
      gate.heal();
      await().until(() -> outbox.stats().sent() == 1);
    }
  }
}
