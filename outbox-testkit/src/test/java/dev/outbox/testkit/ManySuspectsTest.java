package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.email.Receipt;
import dev.outbox.email.State;
import dev.outbox.settings.LeaseSettings;
import dev.outbox.settings.ProcessingSettings;
import dev.outbox.settings.UnknownOutcomePolicy;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.NodeHeartbeat;
import dev.outbox.store.PriorityLane;
import dev.outbox.store.ReapPolicy;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Many emails whose workers have died do not keep other emails waiting. */
class ManySuspectsTest {

  private static final int SUSPECTS = 50;

  private final InMemoryStore store = new InMemoryStore();
  private final RecordingTransport transport = new RecordingTransport();
  private final AtomicLong ahead = new AtomicLong();
  private final List<EmailId> delivered = new CopyOnWriteArrayList<>();

  @Test
  void anOrdinaryEmailIsDeliveredBeforeTheThirdSuspect() {
    Set<EmailId> suspects = suspects();
    List<EmailId> ordinary = new CopyOnWriteArrayList<>();
    try (Outbox outbox = node()) {
      onDelivery(
          id -> {
            if (ordinary.isEmpty()) {
              ordinary.add(outbox.send(Mails.plain()).id());
            }
          });
      startWhenSuspectsAreDue(outbox);

      await().until(() -> delivered.containsAll(ordinary) && !ordinary.isEmpty());

      List<EmailId> before = delivered.subList(0, delivered.indexOf(ordinary.get(0)));
      assertThat(before).hasSizeLessThan(3).isSubsetOf(suspects);
    }
  }

  @Test
  void suspectsAreAtLeastASecondApartWhileThereAreOtherEmails() {
    Set<EmailId> suspects = suspects();
    List<Long> times = new CopyOnWriteArrayList<>();
    AtomicBoolean sending = new AtomicBoolean(true);
    try (Outbox outbox = node()) {
      onDelivery(
          id -> {
            if (suspects.contains(id)) {
              times.add(System.nanoTime());
            }
            if (sending.get()) {
              outbox.send(Mails.plain());
            }
          });
      startWhenSuspectsAreDue(outbox);

      await().until(() -> times.size() >= 3);
      sending.set(false);

      assertThat(Duration.ofNanos(times.get(1) - times.get(0)))
          .isGreaterThanOrEqualTo(Duration.ofSeconds(1));
      assertThat(Duration.ofNanos(times.get(2) - times.get(1)))
          .isGreaterThanOrEqualTo(Duration.ofSeconds(1));
      assertThat(delivered).hasSizeGreaterThan(10);
    }
  }

  @Test
  void manySuspectsInOneStateDoNotKeepThoseOfAnotherWaiting() {
    EmailId ready = deferred();
    makeSuspects(State.READY, 1);
    suspects();
    onDelivery(id -> {});
    try (Outbox outbox = node()) {
      startWhenSuspectsAreDue(outbox);

      await().until(() -> delivered.contains(ready));

      assertThat(delivered.indexOf(ready)).isLessThan(3);
    }
  }

  @Test
  void aPauseStopsFurtherSuspects() {
    suspects();
    AtomicInteger number = new AtomicInteger();
    try (Outbox outbox = node()) {
      onDelivery(
          id -> {
            if (number.incrementAndGet() == 3) {
              outbox.pause();
            }
          });
      startWhenSuspectsAreDue(outbox);
      await().until(() -> delivered.size() == 3);

      await().during(Duration.ofMillis(300)).until(() -> delivered.size() == 3);
      outbox.resume();

      await().until(() -> delivered.size() == SUSPECTS);
    }
  }

  @Test
  void suspectsDoNotWaitForEachOtherWhileThereIsNothingElse() {
    Set<EmailId> suspects = suspects();
    onDelivery(id -> {});
    try (Outbox outbox = node()) {
      startWhenSuspectsAreDue(outbox);

      await().until(() -> outbox.stats().sent() == SUSPECTS);

      assertThat(delivered).containsExactlyInAnyOrderElementsOf(suspects);
    }
  }

  @Test
  void aPassServesAllSuspects() {
    Set<EmailId> suspects = suspects();
    onDelivery(id -> {});
    try (Outbox outbox = node()) {
      EmailId ordinary = outbox.send(Mails.plain()).id();

      outbox.processDue();

      assertThat(delivered).hasSize(SUSPECTS + 1).containsAll(suspects);
      assertThat(delivered.get(0)).isEqualTo(ordinary);
    }
  }

  private void onDelivery(Consumer<EmailId> action) {
    transport.answer(
        envelope -> {
          action.accept(envelope.id());
          delivered.add(envelope.id());
          return RecordingTransport.accept(envelope);
        });
  }

  private void startWhenSuspectsAreDue(Outbox outbox) {
    outbox.start();
    ahead.addAndGet(Duration.ofSeconds(11).toNanos());
  }

  private Set<EmailId> suspects() {
    Set<EmailId> ids = new HashSet<>();
    try (Outbox web = Outbox.builder(store).defaultFrom("shop@example.com").build()) {
      web.sendAll(Mails.many(SUSPECTS)).stream().map(Receipt::id).forEach(ids::add);
    }
    makeSuspects(State.ACCEPTED, SUSPECTS);
    return ids;
  }

  /** Stores an email that a relay has deferred, and that is due. */
  private EmailId deferred() {
    RecordingTransport relay = new RecordingTransport();
    relay.answer(RecordingTransport::defer);
    try (Outbox other =
        Outbox.builder(store).transport(relay).defaultFrom("shop@example.com").build()) {
      EmailId id = other.send(Mails.plain()).id();
      other.processDue();
      store.advance(Duration.ofHours(1));
      return id;
    }
  }

  private void makeSuspects(State from, int emails) {
    NodeId killed = NodeId.incarnate("killed");
    NodeHeartbeat last =
        store.heartbeat(killed).stream()
            .filter(beat -> beat.node().equals(killed))
            .findFirst()
            .orElseThrow();
    store.claim(
        new ClaimRequest(killed, from, Map.of(PriorityLane.NORMAL, emails), Long.MAX_VALUE));
    assertThat(
            store.reap(
                killed, last.beat(), new ReapPolicy(1, 5, UnknownOutcomePolicy.RESEND), emails))
        .hasSize(emails);
    store.deregister(killed);
  }

  private Outbox node() {
    return Outbox.builder(store)
        .transport(transport)
        .defaultFrom("shop@example.com")
        .monotonicClock(() -> System.nanoTime() + ahead.get())
        .lease(new LeaseSettings(Duration.ofMillis(20), Duration.ofMinutes(1)))
        .processing(ProcessingSettings.DEFAULT.pollInterval(Duration.ofMillis(20)))
        .build();
  }
}
