package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.email.NodeId;
import dev.outbox.monitoring.NodeStatus;
import dev.outbox.settings.LeaseSettings;
import dev.outbox.store.StoreException;
import dev.outbox.store.StoreException.Reason;
import dev.outbox.testsupport.LogLines;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A store that throws what it should not is survived like one that is out of reach. */
class StoreDefectTest {

  static Stream<Arguments> defects() {
    return Stream.of("claim", "beginDelivery", "complete", "heartbeat")
        .flatMap(
            method ->
                Stream.of(
                        new NullPointerException("a secret of ada@example.com"),
                        new StackOverflowError(),
                        new IOException("from a store written in another language"))
                    .map(thrown -> Arguments.of(method, thrown)));
  }

  @ParameterizedTest(name = "{0} throws {1}")
  @MethodSource("defects")
  void aStartedOutboxGoesOnWhenItsStoreIsWellAgain(String method, Throwable thrown) {
    InMemoryStore store = new InMemoryStore();
    StoreGate gate = new StoreGate(store);
    WireTap wire = new WireTap();
    try (Outbox outbox =
        Outbox.builder(gate.store())
            .transport(wire)
            .defaultFrom("a@example.com")
            .lease(new LeaseSettings(Duration.ofMillis(100), Duration.ofSeconds(60)))
            .build()
            .start()) {
      outbox.send(Mails.plain());
      await().until(() -> store.stats().isEmpty());
      gate.fail(method, () -> thrown);
      outbox.sendAll(Mails.many(20));
      await().until(() -> outbox.status() == NodeStatus.STORE_UNAVAILABLE);

      gate.heal();
      outbox.sendAll(Mails.many(20));

      await().atMost(Duration.ofSeconds(20)).until(() -> store.stats().isEmpty());
      assertThat(wire.offers()).extracting(WireTap.Offer::id).doesNotHaveDuplicates().hasSize(41);
      await().until(() -> outbox.stats().inFlight() == 0);
    }
  }

  @ParameterizedTest(name = "{0} throws {1}")
  @MethodSource("defects")
  void aPassGoesOnNextTime(String method, Throwable thrown) {
    InMemoryStore store = new InMemoryStore();
    StoreGate gate = new StoreGate(store);
    WireTap wire = new WireTap();
    Outbox outbox =
        Outbox.builder(gate.store()).transport(wire).defaultFrom("a@example.com").build();
    outbox.sendAll(Mails.many(3));
    gate.fail(method, () -> thrown);
    outbox.processDue();
    gate.heal();

    outbox.processDue();

    assertThat(store.stats()).isEmpty();
    assertThat(wire.offers()).hasSize(3);
  }

  static Stream<Throwable> rejectedReaps() {
    return Stream.of(
        new NullPointerException("a secret of ada@example.com"),
        new StoreException(Reason.REJECTED_DATA, "an email is too long", null));
  }

  @ParameterizedTest
  @MethodSource("rejectedReaps")
  void whoCannotTakeTheEmailsOfTheDeadStillSends(Throwable thrown) {
    try (LogLines log = new LogLines()) {
      WireTap wire = new WireTap();
      Outbox outbox = nodeThatCannotReap(thrown, wire);

      assertThat(wire.offers()).hasSize(2);
      assertThat(outbox.health().isUp()).isTrue();
      assertThat(log.of(Level.SEVERE))
          .satisfiesExactly(
              line -> assertThat(line).contains("node killed~").doesNotContain("example.com"));
    }
  }

  @Test
  void aReapThatFindsTheStoreUnavailableIsAnOutage() {
    WireTap wire = new WireTap();

    Outbox outbox =
        nodeThatCannotReap(new StoreException(Reason.UNAVAILABLE, "connection lost", null), wire);

    assertThat(wire.offers()).hasSize(1);
    assertThat(outbox.health().isUp()).isFalse();
  }

  /** Returns a node that has made one pass before it found another node dead, and one then. */
  private static Outbox nodeThatCannotReap(Throwable thrown, WireTap wire) {
    InMemoryStore store = new InMemoryStore();
    StoreGate gate = new StoreGate(store);
    store.heartbeat(NodeId.incarnate("killed"));
    gate.fail("reap", () -> thrown);
    AtomicLong nanos = new AtomicLong();
    Outbox outbox =
        Outbox.builder(gate.store())
            .transport(wire)
            .defaultFrom("a@example.com")
            .monotonicClock(nanos::get)
            .build();
    for (int i = 0; i < 2; i++) {
      outbox.send(Mails.plain());
      outbox.processDue();
      nanos.addAndGet(LeaseSettings.DEFAULT.leaseDuration().toNanos());
    }
    return outbox;
  }
}
