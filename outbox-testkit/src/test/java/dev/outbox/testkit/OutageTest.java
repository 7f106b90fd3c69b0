package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.email.EmailId;
import dev.outbox.email.Receipt;
import dev.outbox.email.State;
import dev.outbox.monitoring.NodeStatus;
import dev.outbox.settings.LeaseSettings;
import dev.outbox.store.StoreException;
import dev.outbox.testkit.Cluster.Node;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OutageTest {

  private final Cluster cluster = new Cluster();

  @Test
  void aStoreThatFailsForHalfAMinuteIsSurvived() {
    Node node = cluster.node();
    node.outbox().send(Cluster.email("ada@example.com"));
    node.faults().down(true);
    for (int i = 0; i < 15; i++) {
      node.process();
      cluster.advance(Duration.ofSeconds(2));
    }
    assertThat(node.transport().sent()).isEmpty();

    node.faults().down(false);
    node.process();

    assertThat(node.transport().sent()).hasSize(1);
    assertThat(cluster.store().stats()).isEmpty();
  }

  @Test
  void aResultThatCouldNotBeRecordedIsKeptAndTheEmailIsNotSentAgain() {
    Node node = cluster.node();
    EmailId id = sendAndLoseTheStoreAtTheDot(node);
    node.process();
    cluster.advance(Duration.ofSeconds(30));
    node.process();
    assertThat(cluster.state(id)).isEqualTo(State.PROCESSING);

    node.faults().down(false);
    node.process();

    assertThat(cluster.find(id).summary().archived()).isTrue();
    assertThat(node.transport().sent()).hasSize(1);
  }

  @Test
  void nothingNewIsSentWhileAResultWaitsToBeRecorded() {
    Node node = cluster.node();
    List<Receipt> both =
        node.outbox()
            .sendAll(List.of(Cluster.email("ada@example.com"), Cluster.email("bob@example.com")));
    node.transport()
        .answerNext(
            envelope -> {
              node.faults().down(true);
              return RecordingTransport.accept(envelope);
            });

    node.process();
    assertThat(node.transport().sent()).hasSize(1);

    node.faults().down(false);
    node.process();
    assertThat(node.transport().sent()).hasSize(2);
    assertThat(both)
        .allSatisfy(
            receipt ->
                assertThat(cluster.find(receipt.id()).summary().progress().attempts()).isZero());
  }

  @Test
  void afterAnOutageNoSecondNodeSendsWhatTheFirstHadDelivered() {
    Node first = cluster.node();
    Node second = cluster.node();
    second.process();
    EmailId id = sendAndLoseTheStoreAtTheDot(first);
    second.faults().down(true);
    for (int i = 0; i < 20; i++) {
      cluster.advance(Duration.ofSeconds(2));
      first.process();
      second.process();
    }

    second.faults().down(false);
    second.process();
    cluster.advance(Duration.ofSeconds(2));
    second.process();
    first.faults().down(false);
    first.process();
    cluster.watchForALease(second);

    assertThat(cluster.find(id).summary().archived()).isTrue();
    assertThat(second.transport().sent()).isEmpty();
  }

  @Test
  void anEmailWhoseClaimWasNeverAnsweredIsGivenBack() {
    Node node = cluster.node();
    node.outbox().send(Cluster.email("ada@example.com"));
    node.faults().loseAnswersOf("claim");
    node.process();
    assertThat(cluster.store().stats()).containsOnlyKeys(State.INTAKING);
    node.faults().loseNoAnswers();

    node.process();

    assertThat(node.transport().sent()).hasSize(1);
    assertThat(cluster.store().stats()).isEmpty();
  }

  @Test
  void anEmailWhoseStepToTheWireWasNeverAnsweredIsSentOnce() {
    Node node = cluster.node();
    EmailId id = node.outbox().send(Cluster.email("ada@example.com")).id();
    node.faults().loseAnswersOf("beginDelivery");
    node.process();
    assertThat(node.transport().sent()).isEmpty();
    node.faults().loseNoAnswers();

    node.process();

    assertThat(node.transport().sent()).hasSize(1);
    assertThat(cluster.find(id).summary().archived()).isTrue();
  }

  @Test
  void aResultWhoseRecordingWasNotAnsweredIsRecordedOnce() {
    Node node = cluster.node();
    EmailId id = node.outbox().send(Cluster.email("ada@example.com")).id();
    node.faults().loseAnswersOf("complete");
    node.process();
    node.faults().loseNoAnswers();

    node.process();

    assertThat(node.transport().sent()).hasSize(1);
    assertThat(cluster.find(id).summary().archived()).isTrue();
    assertThat(node.outbox().stats().sent()).isEqualTo(1);
  }

  @Test
  void sendingDuringAnOutageTellsTheCaller() {
    Node node = cluster.node();
    node.faults().down(true);

    assertThatThrownBy(() -> node.outbox().send(Cluster.email("ada@example.com")))
        .isInstanceOf(StoreException.class);
  }

  @Test
  void aStartedNodePausesAndGoesOnByItself() {
    Faults faults = new Faults(new InMemoryStore());
    RecordingTransport transport = new RecordingTransport();
    try (Outbox outbox =
        Outbox.builder(faults.seen())
            .transport(transport)
            .defaultFrom("shop@example.com")
            .lease(new LeaseSettings(Duration.ofMillis(20), Duration.ofSeconds(1)))
            .build()
            .start()) {
      List<Receipt> receipts =
          outbox.sendAll(
              IntStream.range(0, 200)
                  .mapToObj(i -> Cluster.email("a" + i + "@example.com"))
                  .toList());
      faults.down(true);
      await().until(() -> outbox.status() == NodeStatus.STORE_UNAVAILABLE);
      faults.down(false);
      await().until(() -> transport.sent().size() == receipts.size());
      await().until(() -> outbox.stats().states().isEmpty());
      assertThat(outbox.stats().status()).isEqualTo(NodeStatus.RUNNING);
    }
  }

  private EmailId sendAndLoseTheStoreAtTheDot(Node node) {
    EmailId id = node.outbox().send(Cluster.email("ada@example.com")).id();
    node.transport()
        .answerNext(
            envelope -> {
              node.faults().down(true);
              return RecordingTransport.accept(envelope);
            });
    node.process();
    assertThat(node.transport().sent()).hasSize(1);
    return id;
  }
}
