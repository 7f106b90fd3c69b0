package dev.outbox.testkit;

import dev.outbox.Outbox;
import dev.outbox.OutboxBuilder;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import dev.outbox.settings.LeaseSettings;
import dev.outbox.store.StoredEmail;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/** Several nodes on one store, without threads, whose common time moves by hand. */
final class Cluster {

  static final Duration LEASE = LeaseSettings.DEFAULT.leaseDuration();

  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private final InMemoryStore store = new InMemoryStore(Clock.fixed(START, ZoneOffset.UTC));
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger names = new AtomicInteger();

  /** One node, with its own way to the store and to a relay. */
  record Node(Outbox outbox, Faults faults, RecordingTransport transport) {

    void process() {
      outbox.processDue();
    }

    /** Lets the node go as a killed process does: whatever it does next reaches nobody. */
    void die() {
      faults.down(true);
    }
  }

  Node node() {
    return node(builder -> builder);
  }

  Node node(UnaryOperator<OutboxBuilder> settings) {
    Faults faults = new Faults(store);
    RecordingTransport transport = new RecordingTransport();
    OutboxBuilder builder =
        Outbox.builder(faults.seen())
            .transport(transport)
            .monotonicClock(nanos::get)
            .nodeName("n" + names.incrementAndGet())
            .defaultFrom("shop@example.com");
    return new Node(settings.apply(builder).build(), faults, transport);
  }

  InMemoryStore store() {
    return store;
  }

  /** Returns the common time as a clock that also runs by itself, for a node with threads. */
  LongSupplier running() {
    return () -> System.nanoTime() + nanos.get();
  }

  void advance(Duration duration) {
    store.advance(duration);
    nanos.addAndGet(duration.toNanos());
  }

  /** Lets a node watch the others for a whole lease, as its heart would. */
  void watchForALease(Node node) {
    Duration beat = LeaseSettings.DEFAULT.heartbeatInterval();
    node.process();
    for (Duration passed = Duration.ZERO;
        passed.compareTo(LEASE) <= 0;
        passed = passed.plus(beat)) {
      advance(beat);
      node.process();
    }
  }

  State state(EmailId id) {
    return find(id).summary().state();
  }

  StoredEmail find(EmailId id) {
    return store.find(id).orElseThrow();
  }

  static Email email(String to) {
    return Email.to(to).subject("Hello").text("Hello " + to).build();
  }
}
