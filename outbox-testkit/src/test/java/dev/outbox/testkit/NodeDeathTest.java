package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.eventbus.EventBus;
import com.google.common.eventbus.Subscribe;
import dev.outbox.email.EmailId;
import dev.outbox.email.FailureCode;
import dev.outbox.email.HistoryEntry;
import dev.outbox.email.Receipt;
import dev.outbox.email.State;
import dev.outbox.event.OutboxEvent;
import dev.outbox.settings.UnknownOutcomePolicy;
import dev.outbox.testkit.Cluster.Node;
import dev.outbox.transport.DeliveryResult;
import dev.outbox.transport.Envelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NodeDeathTest {

  private final Cluster cluster = new Cluster();

  @Test
  void aCrashBetweenClaimAndCompletionIsRecoveredAfterTheLease() {
    Node doomed = cluster.node();
    Node other = cluster.node();
    EmailId id = doomed.outbox().send(Cluster.email("ada@example.com")).id();
    doomed.transport().answerNext(dyingWith(doomed));
    doomed.process();

    other.process();
    cluster.advance(Cluster.LEASE.minusSeconds(1));
    other.process();
    assertThat(cluster.state(id)).as("before the lease is over").isEqualTo(State.PROCESSING);

    cluster.watchForALease(other);
    assertThat(cluster.find(id).summary().archived()).isTrue();
    assertThat(other.transport().sent()).hasSize(1);
  }

  @Test
  void underHoldAnEmailOnADeadNodesWireWaitsForAnOperator() {
    Node doomed = cluster.node();
    Node other = cluster.node(builder -> builder.unknownOutcome(UnknownOutcomePolicy.HOLD));
    EmailId id = doomed.outbox().send(Cluster.email("ada@example.com")).id();
    doomed.transport().answerNext(dyingWith(doomed));
    doomed.process();

    cluster.watchForALease(other);

    assertThat(cluster.state(id)).isEqualTo(State.FAILED);
    assertThat(cluster.find(id).summary().code()).isEqualTo(FailureCode.OUTCOME_UNKNOWN);
    assertThat(other.transport().sent()).isEmpty();
  }

  @Test
  void aNodeThatBeatsIsNeverReapedHoweverLongItsEmailTakes() {
    Node slow = cluster.node();
    Node other = cluster.node();
    EmailId id = slow.outbox().send(Cluster.email("ada@example.com")).id();
    slow.transport()
        .answerNext(
            envelope -> {
              for (int i = 0; i < 60; i++) {
                cluster.advance(Duration.ofSeconds(2));
                cluster
                    .store()
                    .heartbeat(Objects.requireNonNull(cluster.find(id).summary().owner()));
                other.process();
              }
              return RecordingTransport.accept(envelope);
            });

    slow.process();

    assertThat(other.transport().sent()).isEmpty();
    assertThat(cluster.find(id).summary().archived()).isTrue();
  }

  @Test
  void aLateWorkerCannotOverwriteTheNewOwnersResult() {
    List<OutboxEvent.PossibleDuplicate> duplicates = new ArrayList<>();
    EventBus bus = new EventBus();
    bus.register(new DuplicateListener(duplicates));
    Node late = cluster.node(builder -> builder.eventBus(bus));
    Node other = cluster.node();
    EmailId id = late.outbox().send(Cluster.email("ada@example.com")).id();
    late.transport()
        .answerNext(
            envelope -> {
              other.transport().answerNext(RecordingTransport::refuse);
              cluster.watchForALease(other);
              return RecordingTransport.accept(envelope);
            });

    late.process();

    assertThat(cluster.state(id)).isEqualTo(State.FAILED);
    assertThat(duplicates).extracting(OutboxEvent.PossibleDuplicate::id).containsExactly(id);
    assertThat(late.outbox().history(id))
        .extracting(HistoryEntry::reason)
        .anySatisfy(reason -> assertThat(reason).startsWith("possible duplicate"));
  }

  @Test
  void aLateAcceptedWhoseTokenStillStandsIsArchivedAsSent() {
    Node late = cluster.node();
    Node reaper = cluster.node();
    reaper.transport().limitCapacity(0);
    EmailId id = late.outbox().send(Cluster.email("ada@example.com")).id();
    late.transport()
        .answerNext(
            envelope -> {
              cluster.watchForALease(reaper);
              assertThat(cluster.state(id)).isEqualTo(State.ACCEPTED);
              return RecordingTransport.accept(envelope);
            });

    late.process();

    assertThat(cluster.find(id).summary().archived()).isTrue();
    reaper.transport().limitCapacity(100);
    reaper.process();
    assertThat(reaper.transport().sent()).isEmpty();
  }

  @Test
  void aNodeFrozenPastItsLeaseDoesNotWriteTheFinalDot() {
    Node frozen = cluster.node();
    EmailId id = frozen.outbox().send(Cluster.email("ada@example.com")).id();
    frozen.transport().beforeFinalStep(() -> cluster.advance(Cluster.LEASE));

    frozen.process();

    assertThat(frozen.transport().sent()).isEmpty();
    assertThat(cluster.state(id)).isEqualTo(State.ACCEPTED);
    assertThat(cluster.find(id).summary().progress().attempts()).isZero();
  }

  @Test
  void aNodeWritesTheFinalDotOnlyWhileItsBeatIsYoungerThanHalfALease() {
    Node slow = cluster.node();
    slow.outbox().send(Cluster.email("ada@example.com"));
    slow.transport().beforeFinalStep(() -> cluster.advance(Cluster.LEASE.dividedBy(2)));
    slow.process();
    assertThat(slow.transport().sent()).isEmpty();

    slow.transport()
        .beforeFinalStep(() -> cluster.advance(Cluster.LEASE.dividedBy(2).minusMillis(1)));
    cluster.advance(Duration.ofSeconds(1));
    slow.process();
    assertThat(slow.transport().sent()).hasSize(1);
  }

  @Test
  void anEmailThatKillsItsWorkerEachTimeIsFoundOutAndItsBatchMatesAreDelivered() {
    AtomicInteger deaths = new AtomicInteger();
    Node first = cluster.node();
    List<EmailId> mates =
        first
            .outbox()
            .sendAll(
                IntStream.range(0, 10)
                    .mapToObj(i -> Cluster.email("mate" + i + "@example.com"))
                    .toList())
            .stream()
            .map(Receipt::id)
            .toList();
    EmailId killer = first.outbox().send(Cluster.email("killer@example.com")).id();

    for (int generation = 0; generation < 10; generation++) {
      Node node = cluster.node();
      node.transport()
          .answer(
              envelope -> {
                if (envelope.id().equals(killer) && !node.faults().isDown()) {
                  deaths.incrementAndGet();
                  node.die();
                }
                return RecordingTransport.accept(envelope);
              });
      cluster.watchForALease(node);
    }

    assertThat(cluster.state(killer)).isEqualTo(State.FAILED);
    assertThat(cluster.find(killer).summary().code()).isEqualTo(FailureCode.WORKER_DIED);
    assertThat(deaths).hasValue(5);
    assertThat(mates).allSatisfy(id -> assertThat(cluster.find(id).summary().archived()).isTrue());
  }

  private static Function<Envelope, DeliveryResult> dyingWith(Node node) {
    return envelope -> {
      node.die();
      return RecordingTransport.accept(envelope);
    };
  }

  /** Collects what the bus tells. */
  static final class DuplicateListener {
    private final List<OutboxEvent.PossibleDuplicate> heard;

    DuplicateListener(List<OutboxEvent.PossibleDuplicate> heard) {
      this.heard = heard;
    }

    @Subscribe
    void on(OutboxEvent.PossibleDuplicate event) {
      heard.add(event);
    }
  }
}
