package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.OutboxBuilder;
import dev.outbox.callback.CallbackResult;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import dev.outbox.settings.ProcessingSettings;
import dev.outbox.store.StateCount;
import dev.outbox.store.StoredEmail;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is begun, and what is not, when a node closes or a delivery is given up. */
class LastMomentsTest {

  private static final int EMAILS = 3;
  private static final ProcessingSettings ONE_WORKER =
      new ProcessingSettings(
          1,
          1,
          500,
          32L << 20,
          1_000,
          Duration.ofMillis(500),
          Duration.ofMinutes(5),
          Duration.ofSeconds(20),
          Duration.ofMinutes(10),
          Duration.ofMillis(100),
          500);

  private final InMemoryStore store = new InMemoryStore();
  private final WireTap wire = new WireTap();
  private final Semaphore door = new Semaphore(0);
  private final AtomicInteger begun = new AtomicInteger();

  @Test
  void whatIsQueuedForTheWireAtCloseIsGivenBackAndNotOffered() {
    wire.answer(
        envelope -> {
          enter();
          return RecordingTransport.accept(envelope);
        });
    closeWhileOneIsBegun(outbox(ONE_WORKER).build(), State.PROCESSING);

    assertThat(begun).hasValue(1);
    assertThat(store.stats()).containsOnlyKeys(State.ACCEPTED);
    assertThat(count(State.ACCEPTED)).isEqualTo(EMAILS - 1);
  }

  @Test
  void whatIsQueuedForRenderingAtCloseIsGivenBackAndNotComposed() {
    wire.compose(
        message -> {
          enter();
          return Bytes.utf8("message");
        });
    closeWhileOneIsBegun(outbox(ONE_WORKER).build(), State.INTAKING);

    assertThat(begun).hasValue(1);
    assertThat(store.stats()).containsOnlyKeys(State.ACCEPTED);
    assertThat(count(State.ACCEPTED)).isEqualTo(EMAILS);
  }

  @Test
  void aHostThatWasNotCalledYetAtCloseIsLeftToOthers() {
    FakeHost host = new FakeHost();
    host.answer(
        notice -> {
          enter();
          return new CallbackResult.Acknowledged("ok");
        });
    closeWhileOneIsBegun(
        outbox(ONE_WORKER).callback(host).callbackUrl(FakeHost.URL).build(),
        State.CALLING_SENT_CALLBACK);

    assertThat(begun).hasValue(1);
    assertThat(store.stats()).containsOnlyKeys(State.SENT);
    assertThat(count(State.SENT)).isEqualTo(EMAILS - 1);
  }

  @Test
  void aTransportThatDoesNotHeedCloseIsInterruptedAndItsEmailHasAResult() {
    AtomicInteger interrupted = new AtomicInteger();
    wire.answer(
        envelope -> {
          begun.incrementAndGet();
          try {
            door.acquire();
          } catch (InterruptedException e) {
            interrupted.incrementAndGet();
          }
          throw new IllegalStateException("interrupted");
        });
    Outbox outbox = outbox(ONE_WORKER.shutdownTimeout(Duration.ofMillis(10))).build().start();
    EmailId id = outbox.send(Cluster.email("ada@example.com")).id();
    await().until(() -> begun.get() == 1);

    outbox.close();

    assertThat(find(id).summary().state()).isEqualTo(State.READY);
    assertThat(find(id).summary().owner()).isNull();
    assertThat(find(id).summary().progress().attempts()).isEqualTo(1);
    await().until(() -> interrupted.get() == 1);
  }

  @Test
  void aDeliveryThatWasGivenUpAndDidHappenIsRecordedAsSent() {
    wire.answer(
        envelope -> {
          enter();
          return RecordingTransport.accept(envelope);
        });
    ProcessingSettings hasty = ProcessingSettings.DEFAULT.stageTimeout(Duration.ofMillis(100));
    try (Outbox outbox = outbox(hasty).build().start()) {
      EmailId id = outbox.send(Cluster.email("ada@example.com")).id();
      await().until(() -> find(id).summary().state() == State.READY);

      door.release(100);

      await().until(() -> find(id).summary().archived());
      assertThat(begun).hasValue(1);
    } finally {
      door.release(100);
    }
  }

  /** Begins a piece of work that ends when the test opens the door. */
  private void enter() {
    begun.incrementAndGet();
    door.acquireUninterruptibly();
  }

  /** Closes while the node holds all emails in one state, and works on one of them. */
  private void closeWhileOneIsBegun(Outbox outbox, State busy) {
    outbox.sendAll(Mails.many(EMAILS));
    outbox.start();
    try {
      await().until(() -> begun.get() == 1 && count(busy) == EMAILS);
      Thread closing = new Thread(outbox::close);
      closing.start();
      await()
          .during(Duration.ofMillis(300))
          .until(() -> closing.getState() == Thread.State.TIMED_WAITING);
      door.release(100);
      await().until(() -> !closing.isAlive());
    } finally {
      door.release(100);
    }
  }

  private OutboxBuilder outbox(ProcessingSettings settings) {
    return Outbox.builder(store)
        .transport(wire)
        .defaultFrom("shop@example.com")
        .processing(settings);
  }

  private int count(State state) {
    StateCount count = store.stats().get(state);
    return count == null ? 0 : count.count();
  }

  private StoredEmail find(EmailId id) {
    return store.find(id).orElseThrow();
  }
}
