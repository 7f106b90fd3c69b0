package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.email.Bytes;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.email.Priority;
import dev.outbox.email.Receipt;
import dev.outbox.email.State;
import dev.outbox.settings.ProcessingSettings;
import dev.outbox.store.Claim;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.Completion;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.PriorityLane;
import dev.outbox.store.ReapPolicy;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No kind of mail waits for ever behind another. */
class LanesTest {

  private static final int BACKLOG = 2_000;

  private final InMemoryStore store = new InMemoryStore();
  private final WireTap wire = new WireTap();

  @Test
  void aBacklogOfDeferredMailDoesNotStarveNewMail() {
    Set<EmailId> deferred = ready(store, Mails.many(BACKLOG));
    try (Slow slow = new Slow()) {
      Set<EmailId> fresh = ids(slow.outbox.sendAll(Mails.many(50)));

      slow.letPass(500);

      assertThat(offered()).containsAll(fresh);
      assertThat(offered()).filteredOn(deferred::contains).hasSizeGreaterThan(100);
    }
  }

  @Test
  void aFloodOfNewMailDoesNotStarveDeferredMail() {
    Set<EmailId> deferred = ready(store, Mails.many(50));
    try (Slow slow = new Slow()) {
      slow.outbox.sendAll(Mails.many(BACKLOG));

      slow.letPass(500);

      assertThat(offered()).containsAll(deferred);
    }
  }

  /** An outbox whose relay takes an email only when a test lets it. */
  private final class Slow implements AutoCloseable {
    private final Semaphore relay = new Semaphore(0);
    private final Outbox outbox =
        Outbox.builder(store)
            .transport(wire)
            .defaultFrom("a@example.com")
            .processing(ProcessingSettings.DEFAULT.claims(40, 1 << 20, 40).workers(4))
            .build();

    Slow() {
      wire.answer(
          envelope -> {
            relay.acquireUninterruptibly();
            return RecordingTransport.accept(envelope);
          });
      outbox.start();
    }

    void letPass(int emails) {
      relay.release(emails);
      await().atMost(Duration.ofSeconds(30)).until(() -> outbox.stats().sent() >= emails);
    }

    @Override
    public void close() {
      relay.release(1 << 20);
      outbox.close();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7, 10, 100})
  void everyPriorityIsServedWhileAnotherFloods(int granted) {
    for (Priority flood : Priority.values()) {
      TestOutbox mail = TestOutbox.with(builder -> builder.transport(wire));
      mail.outbox().sendAll(prioritised(flood, 500));
      Stream.of(Priority.values())
          .filter(priority -> priority != flood)
          .forEach(priority -> mail.outbox().sendAll(prioritised(priority, 10)));

      assertServedEarly(mail, granted, flood);
    }
  }

  @ParameterizedTest
  @EnumSource(Priority.class)
  void soIsEveryPriorityOfDeferredMail(Priority flood) {
    TestOutbox mail = TestOutbox.with(builder -> builder.transport(wire));
    ready(mail.store(), prioritised(flood, 500));
    Stream.of(Priority.values())
        .filter(priority -> priority != flood)
        .forEach(priority -> ready(mail.store(), prioritised(priority, 10)));
    // New mail takes turns with deferred mail, and must not take the other lanes' turns.
    mail.outbox().sendAll(prioritised(Priority.NORMAL, 500));

    assertServedEarly(mail, 1, flood);
  }

  /** Checks that the few of the other priorities do not wait for the many of one to end. */
  private void assertServedEarly(TestOutbox mail, int granted, Priority flood) {
    List<Priority> order = new CopyOnWriteArrayList<>();
    wire.grant(wanted -> Math.min(wanted, granted));
    wire.answer(
        envelope -> {
          order.add(Mails.summary(mail, envelope.id()).priority());
          return RecordingTransport.accept(envelope);
        });
    mail.process();

    for (Priority few : Priority.values()) {
      if (few != flood) {
        assertThat(order.indexOf(few))
            .as("first of %s under %s, %d at a time", few, flood, granted)
            .isLessThan(granted * 3 + 40);
        assertThat(order.subList(0, 260)).as("all of %s under %s", few, flood).contains(few);
      }
    }
  }

  @Test
  void noClaimTakesMoreThanTheTransportGrants() {
    List<String> tooMuch = new CopyOnWriteArrayList<>();
    ThreadLocal<Integer> granted = ThreadLocal.withInitial(() -> 0);
    wire.grant(
        wanted -> {
          int now = Math.min(wanted, 1 + wire.offers().size() % 5);
          granted.set(now);
          return now;
        });
    OutboxStore watched =
        (OutboxStore)
            Proxy.newProxyInstance(
                OutboxStore.class.getClassLoader(),
                new Class<?>[] {OutboxStore.class},
                (proxy, method, args) -> {
                  if (args != null && args[0] instanceof ClaimRequest request) {
                    if (!request.from().hasOutcome() && request.limit() > granted.get()) {
                      tooMuch.add(request.toString());
                    }
                    granted.set(0);
                  }
                  try {
                    return method.invoke(store, args);
                  } catch (InvocationTargetException e) {
                    throw e.getTargetException();
                  }
                });
    try (Outbox outbox =
        Outbox.builder(watched).transport(wire).defaultFrom("a@example.com").build().start()) {
      ready(store, Mails.many(50));
      outbox.sendAll(Mails.many(100));
      await().until(() -> store.stats().isEmpty());
    }
    assertThat(tooMuch).isEmpty();
  }

  @Test
  void nothingIsClaimedWhileTheTransportRests() {
    TestOutbox mail = TestOutbox.with(builder -> builder.transport(wire));
    wire.grant(wanted -> 0);
    mail.outbox().sendAll(Mails.many(10));
    assertThat(mail.outbox().processDue()).isZero();

    wire.grant(wanted -> wanted);
    mail.process();

    assertThat(wire.offers()).hasSize(10);
  }

  @Test
  void notEvenAnEmailWhoseWorkersDied() {
    TestOutbox mail = TestOutbox.with(builder -> builder.transport(wire));
    EmailId suspect = mail.outbox().send(Mails.plain()).id();
    for (int deaths = 0; deaths < ReapPolicy.DEFAULT.isolateAfter(); deaths++) {
      NodeId dead = NodeId.incarnate("dead");
      Map<PriorityLane, Integer> one = Map.of(PriorityLane.NORMAL, 1);
      mail.store().claim(new ClaimRequest(dead, State.ACCEPTED, one, 1 << 20));
      mail.store().reap(dead, 0, ReapPolicy.DEFAULT, 1);
    }
    wire.grant(wanted -> 0);
    assertThat(mail.outbox().processDue()).isZero();

    wire.grant(wanted -> wanted);
    mail.process();

    assertThat(offered()).containsExactly(suspect);
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, Integer.MAX_VALUE})
  void anAbsurdGrantIsNoGrantForMore(int grant) {
    TestOutbox mail = TestOutbox.with(builder -> builder.transport(wire));
    wire.grant(wanted -> grant);
    mail.outbox().sendAll(Mails.many(10));
    mail.process();

    assertThat(wire.offers()).hasSize(grant > 0 ? 10 : 0);
  }

  @Test
  void aTransportThatThrowsWhenAskedForAGrantGetsNothing() {
    TestOutbox mail = TestOutbox.with(builder -> builder.transport(wire));
    wire.grant(
        wanted -> {
          throw new StackOverflowError();
        });
    mail.outbox().send(Mails.plain());
    assertThat(mail.outbox().processDue()).isZero();

    wire.grant(wanted -> wanted);
    assertThat(mail.outbox().processDue()).isOne();
  }

  private Set<EmailId> offered() {
    Set<EmailId> ids = new HashSet<>();
    wire.offers().forEach(offer -> ids.add(offer.id()));
    return ids;
  }

  private static Set<EmailId> ids(List<Receipt> receipts) {
    return new HashSet<>(receipts.stream().map(Receipt::id).toList());
  }

  private static List<Email> prioritised(Priority priority, int number) {
    return Stream.generate(() -> Mails.to("ada@example.com").priority(priority).build())
        .limit(number)
        .toList();
  }

  /** Stores emails that are composed and due, as after a deferral. */
  private static Set<EmailId> ready(InMemoryStore store, List<Email> emails) {
    Outbox.builder(store).defaultFrom("a@example.com").build().sendAll(emails);
    Map<PriorityLane, Integer> all =
        Map.of(
            PriorityLane.HIGH,
            emails.size(),
            PriorityLane.NORMAL,
            emails.size(),
            PriorityLane.BULK,
            emails.size());
    List<Claim> claims =
        store.claim(new ClaimRequest(NodeId.incarnate("earlier"), State.ACCEPTED, all, 1L << 40));
    store.complete(
        claims.stream()
            .map(
                claim ->
                    Completion.postponed(
                        claim, Duration.ZERO, OutcomeDetails.NONE, Bytes.utf8("x")))
            .toList());
    return new HashSet<>(claims.stream().map(Claim::id).toList());
  }
}
