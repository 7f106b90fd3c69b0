package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.eventbus.EventBus;
import com.google.common.eventbus.Subscribe;
import dev.outbox.Outbox;
import dev.outbox.email.EmailId;
import dev.outbox.event.OutboxEvent;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** No subscriber ends the thread that delivers events, and no batch takes the room of others. */
class EventThreadTest {

  private final EventBus bus = new EventBus((thrown, context) -> {});
  private final InMemoryStore store = new InMemoryStore();
  private final AtomicBoolean firstEvent = new AtomicBoolean();

  @Test
  void aSubscriberThatInterruptsItsThreadDoesNotStopLaterEvents() {
    onFirstEvent(() -> Thread.currentThread().interrupt());

    assertEventsAreDeliveredAfterTheFirst();
  }

  @Test
  void aThrowableThatCannotBeDescribedDoesNotStopLaterEvents() {
    onFirstEvent(
        () -> {
          throw new HostileError();
        });

    assertEventsAreDeliveredAfterTheFirst();
  }

  @Test
  void aLargeBatchDoesNotPushOutTheEventsOfOtherEmails() {
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    onFirstEvent(
        () -> {
          busy.countDown();
          awaitQuietly(goOn);
        });
    EventLog log = EventLog.on(bus);
    try (Outbox outbox = paused()) {
      outbox.send(Mails.plain());
      await().until(() -> busy.getCount() == 0);
      outbox.sendAll(Mails.many(10_001));

      EmailId other = outbox.send(Mails.plain()).id();
      goOn.countDown();

      await().until(() -> log.of(other).contains(new OutboxEvent.EmailAccepted(other)));
      assertThat(log.of(OutboxEvent.EmailAccepted.class)).hasSize(10_003);
    } finally {
      goOn.countDown();
    }
  }

  @Test
  void theEventsOfBatchesThatWaitAreBounded() {
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    onFirstEvent(
        () -> {
          busy.countDown();
          awaitQuietly(goOn);
        });
    EventLog log = EventLog.on(bus);
    try (Outbox outbox = paused()) {
      outbox.send(Mails.plain());
      await().until(() -> busy.getCount() == 0);
      for (int i = 0; i < 11; i++) {
        outbox.sendAll(Mails.many(10_000));
      }

      EmailId other = outbox.send(Mails.plain()).id();
      goOn.countDown();

      // 100,000 events take more than a minute on a busy machine.
      await()
          .atMost(Duration.ofMinutes(5))
          .pollInterval(Duration.ofMillis(500))
          .until(() -> log.of(other).contains(new OutboxEvent.EmailAccepted(other)));
      assertThat(log.of(OutboxEvent.EmailAccepted.class)).hasSize(100_002);
    } finally {
      goOn.countDown();
    }
  }

  private void assertEventsAreDeliveredAfterTheFirst() {
    EventLog log = EventLog.on(bus);
    try (Outbox outbox = paused()) {
      outbox.send(Mails.plain());
      await().untilTrue(firstEvent);

      EmailId second = outbox.send(Mails.plain()).id();

      await().until(() -> !log.of(second).isEmpty());
    }
  }

  private void onFirstEvent(Runnable action) {
    bus.register(
        new Object() {
          @Subscribe
          public void on(OutboxEvent event) {
            if (firstEvent.compareAndSet(false, true)) {
              action.run();
            }
          }
        });
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Outbox paused() {
    Outbox outbox =
        Outbox.builder(store)
            .transport(new RecordingTransport())
            .defaultFrom("shop@example.com")
            .eventBus(bus)
            .build()
            .start();
    outbox.pause();
    return outbox;
  }

  /** An error that fails again whenever something is asked of it. */
  private static final class HostileError extends Error {
    private static final long serialVersionUID = 1L;

    @Override
    public synchronized @Nullable Throwable getCause() {
      throw new IllegalStateException("unknown");
    }
  }
}
