package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import dev.outbox.monitoring.NodeStatus;
import dev.outbox.settings.LeaseSettings;
import dev.outbox.settings.ProcessingSettings;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.PriorityLane;
import dev.outbox.store.StoreException;
import dev.outbox.store.StoreException.Reason;
import dev.outbox.testsupport.LogLines;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A claim that fails is an outage only if every claim would fail. */
class ClaimErrorsTest {

  private final InMemoryStore memory = new InMemoryStore();
  private final HookedStore store = new HookedStore(memory);
  private final RecordingTransport transport = new RecordingTransport();
  private final AtomicLong ahead = new AtomicLong();

  @ParameterizedTest
  @EnumSource(names = {"REJECTED_DATA", "INTERRUPTED"})
  void aClaimThatFailsForOneStateDoesNotStopTheOthers(Reason reason) {
    AtomicInteger failures = failClaimsFrom(State.READY, new StoreException(reason, "no", null));
    try (Outbox outbox = node()) {
      await().until(() -> failures.get() >= 2);
      EmailId id = outbox.send(Mails.plain()).id();

      await()
          .atMost(Duration.ofSeconds(5))
          .until(() -> memory.find(id).orElseThrow().summary().archived());
      assertThat(outbox.status()).isEqualTo(NodeStatus.RUNNING);
    }
  }

  @Test
  void aClaimThatKeepsFailingIsLoggedOnce() {
    AtomicInteger failures =
        failClaimsFrom(State.READY, new StoreException(Reason.REJECTED_DATA, "no", null));
    try (LogLines log = new LogLines();
        Outbox outbox = node()) {
      await().until(() -> failures.get() >= 5);

      assertThat(outbox.status()).isEqualTo(NodeStatus.RUNNING);
      assertThat(log.of(Level.SEVERE))
          .filteredOn(line -> line.contains("claiming from READY failed"))
          .hasSize(1);
    }
  }

  @Test
  void aClaimThatKeepsFailingMakesTheNodeReportDownAndIsLoggedEveryFiveMinutes() {
    AtomicInteger failures =
        failClaimsFrom(State.READY, new StoreException(Reason.REJECTED_DATA, "no", null));
    try (LogLines log = new LogLines();
        Outbox outbox = node(Duration.ofMillis(20))) {
      await().until(() -> failures.get() >= 5);
      assertThat(outbox.health().isUp()).as("after several failures in a short time").isTrue();

      pass(Duration.ofSeconds(31));
      assertThat(outbox.health().failingClaims()).containsExactly(State.READY);
      await().until(() -> outbox.health().unreachableFor().isEmpty());
      assertThat(outbox.health().isUp()).isFalse();
      assertThat(linesAboutReady(log)).isEqualTo(1);

      pass(Duration.ofMinutes(5));
      await().until(() -> linesAboutReady(log) == 2);
      outbox.pause();
      await().until(() -> outbox.health().unreachableFor().isEmpty());
      assertThat(outbox.health().isUp()).as("while it is paused").isTrue();
      outbox.resume();

      store.clear();
      await().until(() -> outbox.health().isUp());
      assertThat(outbox.health().failingClaims()).isEmpty();
    }
  }

  @Test
  void twoFailedClaimsAreNotReported() {
    failClaimsFrom(State.READY, new StoreException(Reason.REJECTED_DATA, "no", null));
    try (Outbox outbox =
        Outbox.builder(store.store())
            .transport(transport)
            .defaultFrom("shop@example.com")
            .monotonicClock(this::time)
            .build()) {
      for (int i = 0; i < 2; i++) {
        // A pass claims ordinary emails and suspects, which are counted apart.
        outbox.processDue();
        pass(Duration.ofMinutes(1));
        assertThat(outbox.health().failingClaims()).isEmpty();
      }

      outbox.processDue();

      assertThat(outbox.health().failingClaims()).containsExactly(State.READY);
    }
  }

  @Test
  void aClaimOfSuspectsThatSucceedsDoesNotHideFailedClaims() {
    store.before(
        "claim",
        arguments -> {
          ClaimRequest request = (ClaimRequest) arguments.get(0);
          if (request.from() == State.READY
              && !request.shares().containsKey(PriorityLane.SUSPECT)) {
            throw new StoreException(Reason.REJECTED_DATA, "no", null);
          }
        });
    try (LogLines log = new LogLines();
        Outbox outbox = node(Duration.ofMillis(20))) {
      for (int i = 0; i < 4; i++) {
        int before = store.callsOf("claim").size();
        await().until(() -> store.callsOf("claim").size() > before + 10);
        pass(Duration.ofSeconds(11));
      }

      await().until(() -> outbox.health().failingClaims().contains(State.READY));
      assertThat(linesAboutReady(log)).isEqualTo(1);
    }
  }

  private static long linesAboutReady(LogLines log) {
    return log.of(Level.SEVERE).stream()
        .filter(line -> line.contains("claiming from READY failed"))
        .count();
  }

  private void pass(Duration time) {
    ahead.addAndGet(time.toNanos());
  }

  private long time() {
    return System.nanoTime() + ahead.get();
  }

  static Stream<RuntimeException> outages() {
    return Stream.of(
        new StoreException(Reason.UNAVAILABLE, "gone", null),
        new StoreException(Reason.MISCONFIGURED, "no table", null),
        new IllegalStateException("a defect"));
  }

  @ParameterizedTest
  @MethodSource("outages")
  void aClaimThatFailsForAnyOtherReasonIsAnOutage(RuntimeException failure) {
    failClaimsFrom(State.READY, failure);
    try (Outbox outbox = node()) {
      await().until(() -> outbox.status() == NodeStatus.STORE_UNAVAILABLE);
      store.clear();
    }
  }

  @Test
  void emailsOfAClaimThatWasInterruptedAfterItsCommitAreGivenBack() {
    AtomicBoolean interrupted = new AtomicBoolean();
    store.after(
        "claim",
        arguments -> {
          ClaimRequest request = (ClaimRequest) arguments.get(0);
          if (request.from() == State.ACCEPTED && interrupted.compareAndSet(false, true)) {
            Thread.currentThread().interrupt();
            throw new StoreException(Reason.INTERRUPTED, "interrupted", null);
          }
        });
    EmailId id;
    try (Outbox web = Outbox.builder(memory).defaultFrom("shop@example.com").build()) {
      id = web.send(Mails.plain()).id();
    }
    try (Outbox outbox = node()) {
      await().until(() -> memory.find(id).orElseThrow().summary().archived());
      assertThat(outbox.stats().sent()).isEqualTo(1);
    }
  }

  private AtomicInteger failClaimsFrom(State from, RuntimeException failure) {
    AtomicInteger failures = new AtomicInteger();
    store.before(
        "claim",
        arguments -> {
          if (((ClaimRequest) arguments.get(0)).from() == from) {
            failures.incrementAndGet();
            throw failure;
          }
        });
    return failures;
  }

  /** Starts a node whose heartbeat is too rare to end an outage during a test. */
  private Outbox node() {
    return node(Duration.ofSeconds(25));
  }

  private Outbox node(Duration heartbeat) {
    return Outbox.builder(store.store())
        .transport(transport)
        .defaultFrom("shop@example.com")
        .monotonicClock(this::time)
        .lease(new LeaseSettings(heartbeat, Duration.ofMinutes(2)))
        .processing(ProcessingSettings.DEFAULT.pollInterval(Duration.ofMillis(20)))
        .build()
        .start();
  }
}
