package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.OutboxBuilder;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.State;
import dev.outbox.monitoring.NodeStatus;
import dev.outbox.settings.LeaseSettings;
import dev.outbox.settings.ProcessingSettings;
import dev.outbox.store.Completion;
import dev.outbox.store.StoreException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How many emails a killed node may have delivered without a record of it. */
class DuplicateWindowTest {

  private static final int MAX_RESULTS = 500;
  private static final Duration MAX_AGE = Duration.ofMillis(100);

  /** A thread may be descheduled between its check and its delivery. */
  private static final Duration SCHEDULING = Duration.ofMillis(900);

  private final InMemoryStore store = new InMemoryStore();
  private final Faults faults = new Faults(store);
  private final WireTap wire = new WireTap();

  /** The delivery results that are not recorded, and when the transport returned them. */
  private final Map<EmailId, Long> unrecorded = new ConcurrentHashMap<>();

  private final AtomicLong mostAtAStart = new AtomicLong();
  private final AtomicLong oldestAtAStart = new AtomicLong();

  @Test
  void noDeliveryStartsWhileResultsAreTooManyOrTooOld() {
    observeStarts();
    faults.before("complete", () -> pass(Duration.ofSeconds(3)));
    faults.after("complete", this::forget);
    try (Outbox outbox = outbox().build().start()) {
      outbox.sendAll(Mails.many(700));

      await().atMost(Duration.ofSeconds(60)).until(() -> store.stats().isEmpty());
      assertThat(mostAtAStart.get()).isLessThan(MAX_RESULTS);
      assertThat(Duration.ofNanos(oldestAtAStart.get())).isLessThan(MAX_AGE.plus(SCHEDULING));
      assertThat(wire.offers()).extracting(WireTap.Offer::id).doesNotHaveDuplicates().hasSize(700);
    }
  }

  @Test
  void aDeliveryThatWaitsIsNotLimitedByTheStageDeadline() {
    faults.before("complete", () -> pass(Duration.ofSeconds(3)));
    ProcessingSettings hasty = ProcessingSettings.DEFAULT.stageTimeout(Duration.ofMillis(300));
    try (Outbox outbox = outbox().processing(hasty).build().start()) {
      outbox.sendAll(Mails.many(600));

      await().atMost(Duration.ofSeconds(60)).until(() -> store.stats().isEmpty());
      assertThat(wire.offers()).extracting(WireTap.Offer::id).doesNotHaveDuplicates().hasSize(600);
      assertThat(all(outbox)).allMatch(email -> email.progress().attempts() == 0);
    }
  }

  @Test
  void aDeliveryThatWaitsEndsAtOnceWhenTheNodeCloses() throws InterruptedException {
    CountDownLatch recording = new CountDownLatch(1);
    faults.before("complete", () -> awaitLatch(recording));
    Outbox outbox = outbox().build().start();
    outbox.sendAll(Mails.many(600));
    await().until(() -> wire.offers().size() > 0 && isSteady());
    int delivered = wire.offers().size();
    assertThat(waitingWorkers()).isPositive();

    Thread closing = new Thread(outbox::close);
    closing.start();
    await().until(() -> waitingWorkers() == 0);
    assertThat(closing.isAlive()).as("its results are not recorded yet").isTrue();
    recording.countDown();
    closing.join(20_000);

    assertThat(closing.isAlive()).isFalse();
    assertThat(wire.offers()).hasSize(delivered);
    assertThat(store.stats()).containsOnlyKeys(State.ACCEPTED);
    assertThat(store.query(EmailQuery.all().states(State.ACCEPTED), null, 1_000).emails())
        .hasSize(600 - delivered)
        .allMatch(email -> email.progress().attempts() == 0);
  }

  @Test
  void aDeliveryThatWaitsEndsAtOnceWhenTheStoreIsUnavailable() {
    CountDownLatch recording = new CountDownLatch(1);
    faults.before(
        "complete",
        () -> {
          awaitLatch(recording);
          throw new StoreException(StoreException.Reason.UNAVAILABLE, "gone", null);
        });
    try (Outbox outbox = outbox().build().start()) {
      outbox.sendAll(Mails.many(600));
      await().until(() -> wire.offers().size() > 0 && isSteady());
      int delivered = wire.offers().size();
      assertThat(delivered).isLessThanOrEqualTo(MAX_RESULTS);
      assertThat(waitingWorkers()).isPositive();

      recording.countDown();
      await().until(() -> outbox.status() == NodeStatus.STORE_UNAVAILABLE);
      await().until(() -> waitingWorkers() == 0);
      await().during(Duration.ofMillis(300)).until(() -> wire.offers().size() == delivered);
      faults.beforeNothing();

      await().atMost(Duration.ofSeconds(20)).until(() -> store.stats().isEmpty());
      assertThat(wire.offers()).extracting(WireTap.Offer::id).doesNotHaveDuplicates().hasSize(600);
      assertThat(all(outbox)).allMatch(email -> email.progress().attempts() == 0);
    }
  }

  @Test
  void aPassDeliversNothingWhileAResultCannotBeRecorded() {
    Outbox outbox = outbox().build();
    outbox.sendAll(Mails.many(3));
    faults.before(
        "complete",
        () -> {
          throw new StoreException(StoreException.Reason.INTERRUPTED, "interrupted", null);
        });

    outbox.processDue();

    assertThat(wire.offers()).hasSize(1);
    faults.beforeNothing();
    outbox.processDue();
    outbox.processDue();
    assertThat(wire.offers()).extracting(WireTap.Offer::id).doesNotHaveDuplicates().hasSize(3);
    assertThat(store.stats()).isEmpty();
  }

  private boolean isSteady() {
    int before = wire.offers().size();
    pass(Duration.ofMillis(400));
    return wire.offers().size() == before;
  }

  /** Returns how many threads wait for permission to start a delivery. */
  private static long waitingWorkers() {
    return Thread.getAllStackTraces().values().stream()
        .filter(
            stack ->
                Arrays.stream(stack)
                    .anyMatch(frame -> frame.getClassName().endsWith("UnrecordedDeliveries")))
        .count();
  }

  private void observeStarts() {
    wire.answer(
        envelope -> {
          long now = System.nanoTime();
          mostAtAStart.accumulateAndGet(unrecorded.size(), Math::max);
          long oldest = unrecorded.values().stream().mapToLong(Long::longValue).min().orElse(now);
          oldestAtAStart.accumulateAndGet(now - oldest, Math::max);
          unrecorded.put(envelope.id(), System.nanoTime());
          return RecordingTransport.accept(envelope);
        });
  }

  private void forget(List<?> completions) {
    completions.forEach(each -> unrecorded.remove(((Completion) each).id()));
  }

  private List<EmailSummary> all(Outbox outbox) {
    return outbox.query(EmailQuery.all(), null, 1_000).emails();
  }

  private OutboxBuilder outbox() {
    return Outbox.builder(faults.seen())
        .transport(wire)
        .defaultFrom("shop@example.com")
        .lease(new LeaseSettings(Duration.ofMillis(100), Duration.ofSeconds(60)));
  }

  /** Lets time pass. */
  private static void pass(Duration time) {
    awaitLatch(new CountDownLatch(1), time);
  }

  private static void awaitLatch(CountDownLatch latch) {
    awaitLatch(latch, Duration.ofSeconds(60));
  }

  private static void awaitLatch(CountDownLatch latch, Duration time) {
    try {
      latch.await(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
