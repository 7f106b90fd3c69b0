package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.OutboxBuilder;
import dev.outbox.settings.ProcessingSettings;
import dev.outbox.store.OutboxStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class WakeTest {

  private final InMemoryStore store = new InMemoryStore();
  private final Faults faults = new Faults(store);
  private final RecordingTransport transport = new RecordingTransport();
  private volatile Runnable woken = () -> {};

  @Test
  void aMillionWakeUpsCauseABoundedNumberOfClaims() {
    try (Outbox outbox = rarelyPolling().build().start()) {
      await().until(() -> faults.callsOf("claim") > 0);
      long start = System.nanoTime();
      for (int i = 0; i < 1_000_000; i++) {
        outbox.wake();
      }
      long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();

      // At most one look at new mail a millisecond, whatever the number of events.
      assertThat((long) faults.callsOf("claim")).isLessThan(20 + 2 * (millis + 1));
    }
  }

  @Test
  void aSentEmailWakesTheProcessorLongBeforeItsPoll() {
    try (Outbox outbox = rarelyPolling().build().start()) {
      await().until(() -> faults.callsOf("claim") > 1);

      outbox.send(Cluster.email("ada@example.com"));

      await().atMost(Duration.ofSeconds(10)).until(() -> transport.sent().size() == 1);
    }
  }

  @Test
  void aWakeUpDuringALookThatFindsNothingIsNotLost() {
    AtomicBoolean armed = new AtomicBoolean();
    OutboxStore lateStore =
        (OutboxStore)
            Proxy.newProxyInstance(
                WakeTest.class.getClassLoader(),
                new Class<?>[] {OutboxStore.class},
                (proxy, method, args) -> {
                  Object answer = faults.invoke(proxy, method, args);
                  if (method.getName().equals("claim") && armed.compareAndSet(true, false)) {
                    // Stored too late for this look, and told before its answer is there.
                    sendElsewhere();
                    woken.run();
                  }
                  return answer;
                });
    try (Outbox outbox = rarelyPolling(lateStore).build().start()) {
      woken = outbox::wake;
      await().until(() -> faults.callsOf("claim") > 1);
      armed.set(true);
      outbox.wake();

      await().atMost(Duration.ofSeconds(10)).until(() -> transport.sent().size() == 1);
    }
  }

  private void sendElsewhere() {
    try (Outbox elsewhere = Outbox.builder(store).defaultFrom("shop@example.com").build()) {
      elsewhere.send(Cluster.email("ada@example.com"));
    }
  }

  @Test
  void withoutAnyEventThePollFindsTheEmail() {
    try (Outbox outbox = outbox().build().start();
        Outbox elsewhere = Outbox.builder(store).defaultFrom("shop@example.com").build()) {
      elsewhere.send(Cluster.email("ada@example.com"));

      await().atMost(Duration.ofSeconds(10)).until(() -> transport.sent().size() == 1);
      assertThat(outbox.stats().sent()).isEqualTo(1);
    }
  }

  private OutboxBuilder outbox() {
    return outbox(faults.seen());
  }

  private OutboxBuilder outbox(OutboxStore seen) {
    return Outbox.builder(seen).transport(transport).defaultFrom("shop@example.com");
  }

  private OutboxBuilder rarelyPolling() {
    return rarelyPolling(faults.seen());
  }

  private OutboxBuilder rarelyPolling(OutboxStore seen) {
    return outbox(seen).processing(ProcessingSettings.DEFAULT.pollInterval(Duration.ofHours(1)));
  }
}
