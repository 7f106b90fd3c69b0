package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import dev.outbox.settings.ProcessingSettings;
import dev.outbox.transport.DeliveryResult;
import dev.outbox.transport.Envelope;
import dev.outbox.transport.RenderedMessage;
import dev.outbox.transport.SendPermit;
import dev.outbox.transport.Transport;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An interrupt ends neither a thread of the node nor the grace time of a node that closes. */
class InterruptsTest implements Transport {

  private final InMemoryStore memory = new InMemoryStore();
  private final HookedStore store = new HookedStore(memory);
  private final CountDownLatch delivering = new CountDownLatch(1);
  private final CountDownLatch relay = new CountDownLatch(1);
  private final AtomicInteger deliveries = new AtomicInteger();
  private final AtomicBoolean flagAfterClose = new AtomicBoolean();
  private final AtomicBoolean flagInTransport = new AtomicBoolean();

  @AfterEach
  void release() {
    assertThat(Thread.interrupted()).as("flag that a test has left").isFalse();
    relay.countDown();
  }

  @Test
  void anInterruptDuringRecordingDoesNotEndTheThreadThatRecords() {
    relay.countDown();
    store.before("complete", arguments -> Thread.currentThread().interrupt());
    try (Outbox outbox = node().start()) {
      for (int i = 0; i < 20; i++) {
        EmailId id = outbox.send(Mails.plain()).id();

        await().until(() -> isArchived(id));
      }

      assertThat(outbox.health().endedThreads()).isEmpty();
      store.clear();
    }
  }

  @Test
  void closingOnAnInterruptedThreadWaitsForADeliveryInProgress() {
    Outbox outbox = node().start();
    EmailId id = outbox.send(Mails.plain()).id();
    await().until(() -> delivering.getCount() == 0);
    CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS).execute(relay::countDown);
    Thread.currentThread().interrupt();

    outbox.close();

    assertThat(Thread.interrupted()).as("flag after close()").isTrue();
    assertThat(flagInTransport).as("flag while the transport is closed").isFalse();
    assertThat(isArchived(id)).isTrue();
    assertThat(memory.find(id).orElseThrow().summary().state()).isEqualTo(State.SENT);
    assertThat(deliveries).hasValue(1);
  }

  @Test
  void anInterruptDuringCloseDoesNotShortenTheGraceTime() {
    Outbox outbox = node().start();
    EmailId id = outbox.send(Mails.plain()).id();
    await().until(() -> delivering.getCount() == 0);
    Thread closing = close(outbox);
    await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);

    interruptAndSeeThatItGoesOn(closing);
    relay.countDown();

    await().until(() -> !closing.isAlive());
    assertThat(flagAfterClose).isTrue();
    assertThat(isArchived(id)).isTrue();
    assertThat(deliveries).hasValue(1);
  }

  @Test
  void anInterruptDuringCloseDoesNotShortenTheGraceTimeOfAPass() {
    Outbox outbox = node();
    EmailId id = outbox.send(Mails.plain()).id();
    Thread pass = new Thread(outbox::processDue);
    pass.start();
    await().until(() -> delivering.getCount() == 0);
    Thread closing = close(outbox);
    await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);

    interruptAndSeeThatItGoesOn(closing);
    relay.countDown();

    await().until(() -> !closing.isAlive() && !pass.isAlive());
    assertThat(flagAfterClose).isTrue();
    assertThat(isArchived(id)).isTrue();
  }

  @Test
  void anInterruptDuringCloseDoesNotInterruptAClaimInProgress() {
    CountDownLatch claiming = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    store.before(
        "claim",
        arguments -> {
          claiming.countDown();
          try {
            answer.await(30, TimeUnit.SECONDS);
          } catch (InterruptedException e) {
            interrupted.set(true);
          }
        });
    Outbox outbox = node().start();
    await().until(() -> claiming.getCount() == 0);
    Thread closing = close(outbox);
    await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);

    interruptAndSeeThatItGoesOn(closing);
    answer.countDown();

    await().until(() -> !closing.isAlive());
    assertThat(interrupted).isFalse();
  }

  @Test
  void anInterruptDuringCloseNeitherEndsTheRecordingNorReachesTheStore() {
    Faults faults = new Faults(memory);
    AtomicBoolean flagAtRetire = new AtomicBoolean();
    faults.before("deregister", () -> flagAtRetire.set(Thread.currentThread().isInterrupted()));
    Outbox outbox =
        Outbox.builder(faults.seen())
            .transport(this)
            .defaultFrom("shop@example.com")
            .processing(ProcessingSettings.DEFAULT.shutdownTimeout(Duration.ofSeconds(20)))
            .build();
    EmailId id = outbox.send(Mails.plain()).id();
    // The store fails while the result is recorded, so that close() has to record it.
    faults.before("complete", () -> faults.down(true));
    faults.reject("complete", result -> true);
    relay.countDown();
    outbox.processDue();
    faults.beforeNothing();
    faults.before("deregister", () -> flagAtRetire.set(Thread.currentThread().isInterrupted()));
    faults.rejectNothing();
    Thread closing = close(outbox);
    await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);

    interruptAndSeeThatItGoesOn(closing);
    faults.down(false);

    await().until(() -> !closing.isAlive());
    assertThat(isArchived(id)).isTrue();
    assertThat(faults.callsOf("deregister")).isEqualTo(1);
    assertThat(flagAtRetire).isFalse();
    assertThat(flagAfterClose).isTrue();
  }

  private static void interruptAndSeeThatItGoesOn(Thread closing) {
    closing.interrupt();
    await().during(Duration.ofMillis(300)).until(closing::isAlive);
  }

  private Thread close(Outbox outbox) {
    Thread closing =
        new Thread(
            () -> {
              outbox.close();
              flagAfterClose.set(Thread.currentThread().isInterrupted());
            });
    closing.start();
    return closing;
  }

  private boolean isArchived(EmailId id) {
    return memory.find(id).orElseThrow().summary().archived();
  }

  private Outbox node() {
    return Outbox.builder(store.store())
        .transport(this)
        .defaultFrom("shop@example.com")
        .processing(ProcessingSettings.DEFAULT.pollInterval(Duration.ofMillis(20)))
        .build();
  }

  @Override
  public Bytes compose(RenderedMessage message) {
    return Bytes.utf8("message");
  }

  @Override
  public DeliveryResult deliver(Envelope envelope, Bytes message, SendPermit permit) {
    deliveries.incrementAndGet();
    delivering.countDown();
    try {
      assertThat(relay.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      return new DeliveryResult.Unknown("interrupted");
    }
    return RecordingTransport.accept(envelope);
  }

  @Override
  public int availableCapacity(int wanted) {
    return wanted;
  }

  @Override
  public void close() {
    flagInTransport.set(Thread.currentThread().isInterrupted());
  }
}
