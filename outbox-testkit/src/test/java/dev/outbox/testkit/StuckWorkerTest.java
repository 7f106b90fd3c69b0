package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import dev.outbox.settings.ProcessingSettings;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A delivery that does not end in time, and what its thread is replaced by. */
class StuckWorkerTest {

  private static final ProcessingSettings ONE_HASTY_WORKER =
      ProcessingSettings.DEFAULT.workers(1).stageTimeout(Duration.ofMillis(100));

  private final InMemoryStore store = new InMemoryStore();
  private final WireTap wire = new WireTap();
  private final Semaphore relay = new Semaphore(0);

  @Test
  void theThreadThatReplacesAStuckOneIsTakenBackWhenThatOneComesBack() {
    wire.answer(
        envelope -> {
          relay.acquireUninterruptibly();
          return RecordingTransport.accept(envelope);
        });
    try (Outbox outbox =
        Outbox.builder(store)
            .transport(wire)
            .defaultFrom("shop@example.com")
            .processing(ONE_HASTY_WORKER)
            .build()
            .start()) {
      EmailId stuck = outbox.send(Mails.plain()).id();
      await().until(() -> store.find(stuck).orElseThrow().summary().state() == State.READY);
      relay.release();
      await().until(() -> store.find(stuck).orElseThrow().summary().archived());

      AtomicInteger running = new AtomicInteger();
      AtomicInteger most = new AtomicInteger();
      wire.answer(
          envelope -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            pass(Duration.ofMillis(50));
            running.decrementAndGet();
            return RecordingTransport.accept(envelope);
          });
      outbox.sendAll(Mails.many(10));

      await().until(() -> store.stats().isEmpty());
      assertThat(most).as("deliveries at once").hasValue(1);
    }
  }

  private static void pass(Duration time) {
    try {
      new CountDownLatch(1).await(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
