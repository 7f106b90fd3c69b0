package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.eventbus.EventBus;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.State;
import dev.outbox.event.OutboxEvent.PossibleDuplicate;
import dev.outbox.settings.LeaseSettings;
import dev.outbox.settings.ProcessingSettings;
import dev.outbox.testkit.Cluster.Node;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A node with threads stands still in the middle of a delivery, for longer than its lease. Its
 * heart wakes first and beats, so that its lease is young again when the delivery goes on.
 */
class FrozenNodeTest {

  private final Cluster cluster = new Cluster();
  private final EventBus bus = new EventBus();
  private final EventLog events = EventLog.on(bus);
  private final CountDownLatch beforeTheDot = new CountDownLatch(1);
  private final CountDownLatch awake = new CountDownLatch(1);
  private final Node frozen =
      cluster.node(
          builder ->
              builder
                  .eventBus(bus)
                  .monotonicClock(cluster.running())
                  .lease(new LeaseSettings(Duration.ofMillis(10), Cluster.LEASE))
                  .processing(ProcessingSettings.DEFAULT.pollInterval(Duration.ofMillis(20))));

  @AfterEach
  void close() {
    frozen.faults().thaw();
    awake.countDown();
    frozen.outbox().close();
  }

  @Test
  void aDeliveryFromBeforeTheFreezeGoesBackThoughTheHeartHasBeatenSince() throws Exception {
    EmailId id = freezeInADelivery();
    cluster.advance(Cluster.LEASE);
    wakeTheHeartFirst();

    await().until(() -> cluster.state(id) == State.ACCEPTED);
    EmailSummary email = cluster.find(id).summary();
    assertThat(frozen.transport().sent()).isEmpty();
    assertThat(email.owner()).isNull();
    assertThat(email.progress().attempts()).isZero();
    assertThat(email.progress().reaps()).isZero();

    cluster.advance(Duration.ofSeconds(1));
    await().until(() -> cluster.find(id).summary().archived());
    assertThat(frozen.transport().sent()).hasSize(1);
  }

  @Test
  void anEmailThatAnotherNodeTookDuringTheFreezeIsDeliveredOnce() throws Exception {
    Node other = cluster.node();
    EmailId id = freezeInADelivery();
    cluster.watchForALease(other);
    assertThat(other.transport().sent()).hasSize(1);
    wakeTheHeartFirst();

    await().until(() -> frozen.outbox().stats().inFlight() == 0);
    assertThat(frozen.transport().sent()).isEmpty();
    assertThat(events.of(PossibleDuplicate.class)).isEmpty();
    EmailSummary email = cluster.find(id).summary();
    assertThat(email.archived()).isTrue();
    assertThat(email.progress().attempts()).isZero();
  }

  /** Returns the email whose delivery has begun and whose final dot is not written. */
  private EmailId freezeInADelivery() throws InterruptedException {
    frozen
        .transport()
        .beforeFinalStep(
            () -> {
              beforeTheDot.countDown();
              try {
                assertThat(awake.await(30, TimeUnit.SECONDS)).isTrue();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    frozen.outbox().start();
    EmailId id = frozen.outbox().send(Cluster.email("ada@example.com")).id();
    assertThat(beforeTheDot.await(10, TimeUnit.SECONDS)).as("a delivery has begun").isTrue();
    frozen.faults().freeze();
    return id;
  }

  private void wakeTheHeartFirst() {
    int beats = frozen.faults().callsOf("heartbeat");
    frozen.faults().thaw();
    // The second call after the freeze says that the first has been answered.
    await().until(() -> frozen.faults().callsOf("heartbeat") >= beats + 2);
    awake.countDown();
  }
}
