package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.eventbus.EventBus;
import com.google.common.eventbus.Subscribe;
import dev.outbox.Outbox;
import dev.outbox.email.EmailId;
import dev.outbox.email.Receipt;
import dev.outbox.event.OutboxEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What subscribers do is their own business. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SubscribersTest {

  private static final Duration PROMPTLY = Duration.ofSeconds(10);

  private final EventBus bus = new EventBus((thrown, context) -> {});
  private final InMemoryStore store = new InMemoryStore();
  private final RecordingTransport transport = new RecordingTransport();

  @Test
  void aThrowingSubscriberChangesNothing() {
    Thrower thrower = new Thrower();
    bus.register(thrower);
    try (Outbox outbox = started()) {
      List<Receipt> receipts = outbox.sendAll(Mails.many(300));

      await().atMost(PROMPTLY).until(() -> isAllSent(300));
      await().atMost(PROMPTLY).until(() -> thrower.heard.get() == 600);
      assertThat(outbox.stats().sent()).isEqualTo(300);
      assertThat(outbox.stats().failed()).isZero();
      receipts.forEach(receipt -> Paths.path(outbox, receipt.id()));
    }
  }

  @Test
  void aThrowingSubscriberDoesNotReachACallerWithoutThreadsEither() {
    bus.register(new Thrower());
    TestOutbox mail = TestOutbox.with(builder -> builder.eventBus(bus));

    EmailId id = mail.outbox().send(Mails.plain()).id();

    mail.assertSent().count(1);
    assertThat(Mails.summary(mail, id).archived()).isTrue();
  }

  @Test
  void anOutboxWithABusOfItsOwnCanBeSubscribedTo() {
    TestOutbox mail = TestOutbox.create();
    EventLog log = new EventLog();
    mail.outbox().register(log);
    EmailId id = mail.outbox().send(Mails.plain()).id();
    mail.outbox().unregister(log);
    mail.process();

    assertThat(log.all()).containsExactly(new OutboxEvent.EmailAccepted(id));
  }

  @Test
  void aSleepingSubscriberChangesNothing() {
    Sleeper sleeper = new Sleeper();
    bus.register(sleeper);
    try (Outbox outbox = started()) {
      outbox.send(Mails.plain());
      await().atMost(PROMPTLY).until(() -> sleeper.asleep.getCount() == 0);

      outbox.sendAll(Mails.many(300));

      await().atMost(PROMPTLY).until(() -> isAllSent(301));
      assertThat(sleeper.heard.get()).isEqualTo(1);
      sleeper.morning.countDown();
      await().atMost(PROMPTLY).until(() -> sleeper.heard.get() == 602);
    } finally {
      sleeper.morning.countDown();
    }
  }

  @Test
  void aSubscriberThatNeverWakesUpDoesNotKeepTheOutboxFromClosing() {
    Sleeper sleeper = new Sleeper();
    bus.register(sleeper);
    Outbox outbox = started();
    outbox.send(Mails.plain());
    await().atMost(PROMPTLY).until(() -> isAllSent(1));

    outbox.close();

    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().startsWith("outbox-sleepy-"));
  }

  private Outbox started() {
    return Outbox.builder(store)
        .transport(transport)
        .defaultFrom("shop@example.com")
        .eventBus(bus)
        .nodeName("sleepy")
        .build()
        .start();
  }

  private boolean isAllSent(int emails) {
    return transport.sent().size() == emails && store.stats().isEmpty();
  }

  private static final class Thrower {
    final AtomicInteger heard = new AtomicInteger();

    @Subscribe
    public void on(OutboxEvent event) {
      if (heard.incrementAndGet() % 2 == 0) {
        throw new StackOverflowError();
      }
      throw new IllegalStateException("a subscriber of the host's");
    }
  }

  private static final class Sleeper {
    final AtomicInteger heard = new AtomicInteger();
    final CountDownLatch asleep = new CountDownLatch(1);
    final CountDownLatch morning = new CountDownLatch(1);

    @Subscribe
    public void on(OutboxEvent event) throws InterruptedException {
      heard.incrementAndGet();
      asleep.countDown();
      morning.await();
    }
  }
}
