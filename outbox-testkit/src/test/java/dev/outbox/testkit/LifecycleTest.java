package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.OutboxBuilder;
import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.monitoring.NodeStatus;
import dev.outbox.settings.ProcessingSettings;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Start, pause, resume, close. */
class LifecycleTest {

  private static final AtomicInteger NODES = new AtomicInteger();

  /** Differs per test: the read threads of a closed outbox may end a moment after {@code close}. */
  private final String node = "lifecycle" + NODES.incrementAndGet();

  private final InMemoryStore store = new InMemoryStore();
  private final RecordingTransport transport = new RecordingTransport();

  @Test
  void nothingRunsBeforeStart() {
    try (Outbox outbox = sending().build()) {
      outbox.send(Mails.plain());
      outbox.wake();

      assertThat(outbox.status()).isEqualTo(NodeStatus.STOPPED);
      assertThat(threads()).isZero();
      outbox.start();
      await().until(() -> transport.sent().size() == 1);
    }
  }

  @Test
  void anOutboxWithoutTransportOnlyStores() {
    try (Outbox web = Outbox.builder(store).defaultFrom("a@example.com").build()) {
      EmailId id = web.send(Mails.plain()).id();

      assertThatThrownBy(web::start)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("no transport");
      assertThatThrownBy(web::processDue)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("no transport");
      assertThat(web.find(id).orElseThrow().summary().state()).isEqualTo(State.ACCEPTED);
      assertThat(web.stats().sent()).isZero();
    }
  }

  @Test
  void startingTwiceIsFine() {
    try (Outbox outbox = sending().build()) {
      assertThat(outbox.start()).isSameAs(outbox);
      long once = threads();
      assertThat(outbox.start()).isSameAs(outbox);

      assertThat(threads()).isEqualTo(once);
      outbox.sendAll(Mails.many(10));
      await().until(() -> transport.sent().size() == 10);
    }
  }

  @Test
  void aStartedOutboxDoesNotProcessOnTheCallersThread() {
    try (Outbox outbox = sending().build().start()) {
      assertThatThrownBy(outbox::processDue)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("processDue");
    }
  }

  @Test
  void aPausedOutboxClaimsNothingAndLetsWhatIsInFlightEnd() {
    CountDownLatch onTheWire = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    transport.answer(
        envelope -> {
          onTheWire.countDown();
          await().until(() -> goOn.getCount() == 0);
          return RecordingTransport.accept(envelope);
        });
    try (Outbox outbox =
        sending()
            .processing(ProcessingSettings.DEFAULT.pollInterval(Duration.ofMillis(10)))
            .build()) {
      outbox.start();
      outbox.send(Mails.plain());
      await().until(() -> onTheWire.getCount() == 0);

      outbox.pause();
      assertThat(outbox.status()).isEqualTo(NodeStatus.PAUSED);
      goOn.countDown();
      await().until(() -> outbox.stats().sent() == 1);
      outbox.sendAll(Mails.many(5));
      outbox.wake();
      await()
          .during(Duration.ofMillis(300))
          .until(() -> store.stats().get(State.ACCEPTED), count -> count.count() == 5);

      outbox.resume();
      assertThat(outbox.status()).isEqualTo(NodeStatus.RUNNING);
      await().until(() -> transport.sent().size() == 6);
    } finally {
      goOn.countDown();
    }
  }

  @Test
  void pausingIsForStartedOutboxes() {
    try (Outbox outbox = sending().build()) {
      assertThatThrownBy(outbox::pause).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(outbox::resume).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void closingTwiceIsFineAndClosesTheTransport() {
    Outbox outbox = sending().build().start();
    outbox.close();
    outbox.close();

    assertThat(transport.isClosed()).isTrue();
    assertThat(outbox.status()).isEqualTo(NodeStatus.STOPPED);
    assertThat(threads()).isZero();
  }

  @Test
  void closingAnOutboxThatWasNeverStartedClosesItsTransportToo() {
    Outbox outbox = sending().build();
    outbox.close();
    outbox.close();

    assertThat(transport.isClosed()).isTrue();
  }

  @Test
  void aClosedOutboxStillStoresAndAnswersAndNeverStartsAgain() {
    Outbox outbox = sending().build().start();
    outbox.close();

    EmailId id = outbox.send(Mails.plain()).id();

    assertThat(outbox.find(id).orElseThrow().summary().state()).isEqualTo(State.ACCEPTED);
    assertThat(outbox.history(id)).hasSize(1);
    assertThatThrownBy(outbox::start).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(outbox::processDue).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(outbox::pause).isInstanceOf(IllegalStateException.class);
    try (Outbox next = sending().transport(new RecordingTransport()).build()) {
      assertThat(next.processDue()).isOne();
    }
  }

  @Test
  void aClosedNodeIsNoLongerListed() {
    Outbox outbox = sending().build();
    outbox.processDue();
    outbox.close();

    assertThat(store.heartbeat(NodeId.incarnate("watcher"))).hasSize(1);
  }

  private OutboxBuilder sending() {
    return Outbox.builder(store).transport(transport).defaultFrom("a@example.com").nodeName(node);
  }

  private long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("outbox-" + node + "-"))
        .count();
  }
}
