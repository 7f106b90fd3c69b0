package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.eventbus.EventBus;
import com.google.common.eventbus.Subscribe;
import dev.outbox.Outbox;
import dev.outbox.OutboxBuilder;
import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.event.OutboxEvent;
import dev.outbox.monitoring.OutboxMetrics;
import dev.outbox.settings.LeaseSettings;
import dev.outbox.settings.ProcessingSettings;
import dev.outbox.store.Completion;
import dev.outbox.store.StoreException;
import dev.outbox.store.StoreException.Reason;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An appender of the host that throws ends no thread and drops no email. */
class FailingLogTest {

  private final Logger logger = Logger.getLogger("dev.outbox");
  private final AtomicInteger failedLines = new AtomicInteger();
  private final Handler appender = new FailingAppender();
  private final InMemoryStore memory = new InMemoryStore();
  private final HookedStore store = new HookedStore(memory);
  private final EventBus bus = new EventBus();

  @BeforeEach
  void install() {
    logger.setLevel(Level.ALL);
    logger.setUseParentHandlers(false);
    logger.addHandler(appender);
  }

  @AfterEach
  void remove() {
    logger.removeHandler(appender);
    logger.setUseParentHandlers(true);
    logger.setLevel(null);
  }

  @Test
  void aFailedHeartbeatThatCannotBeLoggedDoesNotEndTheHeartbeats() {
    try (Outbox outbox = node().build().start()) {
      store.before("heartbeat", FailingLogTest::fail);
      int beats = store.callsOf("heartbeat").size();
      await().until(() -> store.callsOf("heartbeat").size() >= beats + 3);
      store.before("heartbeat", arguments -> Thread.currentThread().interrupt());
      int interrupted = store.callsOf("heartbeat").size();
      await().until(() -> store.callsOf("heartbeat").size() >= interrupted + 3);
      store.clear();

      await().until(() -> outbox.health().isUp());
      EmailId id = outbox.send(Mails.plain()).id();

      await().until(() -> isArchived(id));
      assertThat(failedLines).hasPositiveValue();
    }
  }

  @Test
  void aFailedClaimThatCannotBeLoggedDoesNotEndTheClaims() {
    AtomicInteger failures = new AtomicInteger();
    try (Outbox outbox = node().build().start()) {
      for (Throwable thrown :
          List.of(
              new StoreException(Reason.REJECTED_DATA, "no", null),
              new StoreException(Reason.UNAVAILABLE, "no", null),
              new IllegalStateException("no"))) {
        int before = failures.get();
        store.before(
            "claim",
            arguments -> {
              failures.incrementAndGet();
              throw thrown;
            });
        await().until(() -> failures.get() > before + 1);
      }
      store.before("claim", arguments -> Thread.currentThread().interrupt());
      int interrupted = store.callsOf("claim").size();
      await().until(() -> store.callsOf("claim").size() >= interrupted + 3);
      store.clear();

      EmailId id = outbox.send(Mails.plain()).id();

      await().until(() -> isArchived(id));
      assertThat(outbox.health().endedThreads()).isEmpty();
      assertThat(failedLines).hasPositiveValue();
    }
  }

  @Test
  void anEventWhoseFailureCannotBeLoggedDoesNotStopLaterEvents() {
    AtomicBoolean failed = new AtomicBoolean();
    bus.register(
        new Object() {
          @Subscribe
          public void on(OutboxEvent event) {
            if (failed.compareAndSet(false, true)) {
              throw new StackOverflowError();
            }
          }
        });
    EventLog log = EventLog.on(bus);
    try (Outbox outbox = node().build().start()) {
      outbox.pause();
      outbox.send(Mails.plain());
      await().untilTrue(failed);

      EmailId second = outbox.send(Mails.plain()).id();

      await().until(() -> !log.of(second).isEmpty());
      assertThat(outbox.health().endedThreads()).isEmpty();
      assertThat(failedLines).hasPositiveValue();
    }
  }

  @Test
  void anEmailWhoseStepToDeliveryIsRejectedIsReleasedThoughThatCannotBeLogged() {
    store.before(
        "beginDelivery",
        arguments -> {
          throw new StoreException(Reason.REJECTED_DATA, "no", null);
        });
    try (Outbox outbox = node().build().start()) {
      EmailId id = outbox.send(Mails.plain()).id();

      await().until(() -> isReleased(id));
      assertThat(failedLines).hasPositiveValue();
    }
  }

  @Test
  void emailsAreReleasedInAnOutageThatCannotBeLogged() {
    AtomicBoolean failed = new AtomicBoolean();
    store.before(
        "beginDelivery",
        arguments -> {
          if (failed.compareAndSet(false, true)) {
            fail(arguments);
          }
        });
    try (Outbox outbox = node().build().start()) {
      EmailId id = outbox.send(Mails.plain()).id();

      // The node claims the email a second time, which requires that it was released.
      await().until(() -> isArchived(id));
      assertThat(failed).isTrue();
      assertThat(failedLines).hasPositiveValue();
    }
  }

  @Test
  void aReducedResultThatCannotBeLoggedIsRecordedOnce() {
    AtomicInteger recorded = new AtomicInteger();
    store.before(
        "complete",
        arguments -> {
          Completion only = (Completion) ((List<?>) arguments.get(0)).get(0);
          if (only.report().response() != null) {
            throw new StoreException(Reason.REJECTED_DATA, "too long", null);
          }
          recorded.incrementAndGet();
        });
    try (Outbox outbox = node().build().start()) {
      EmailId id = outbox.send(Mails.plain()).id();

      await().until(() -> isArchived(id));
      await().until(() -> outbox.stats().inFlight() == 0);
      assertThat(recorded).hasValue(1);
      assertThat(outbox.health().isUp()).isTrue();
      assertThat(failedLines).hasPositiveValue();
    }
  }

  @Test
  void emailsWhoseMetricsFailAreSentThoughThatCannotBeLogged() {
    OutboxMetrics broken =
        (OutboxMetrics)
            Proxy.newProxyInstance(
                OutboxMetrics.class.getClassLoader(),
                new Class<?>[] {OutboxMetrics.class},
                (proxy, method, arguments) -> {
                  throw new IllegalStateException("no registry");
                });
    try (Outbox outbox = node().metrics(broken).build().start()) {
      EmailId id = outbox.send(Mails.plain()).id();

      await().until(() -> isArchived(id));
      assertThat(failedLines).hasPositiveValue();
    }
  }

  @Test
  void aReapThatFailsAndCannotBeLoggedIsNoOutage() {
    memory.heartbeat(NodeId.incarnate("killed"));
    store.before(
        "reap",
        arguments -> {
          throw new StoreException(Reason.REJECTED_DATA, "no", null);
        });
    AtomicLong nanos = new AtomicLong();
    Outbox outbox = node().monotonicClock(nanos::get).build();
    outbox.processDue();
    nanos.addAndGet(LeaseSettings.DEFAULT.leaseDuration().toNanos());
    EmailId id = outbox.send(Mails.plain()).id();

    outbox.processDue();

    assertThat(store.callsOf("reap")).isNotEmpty();
    assertThat(isArchived(id)).isTrue();
    assertThat(failedLines).hasPositiveValue();
  }

  private static void fail(List<?> arguments) {
    throw new StoreException(Reason.UNAVAILABLE, "gone", null);
  }

  private boolean isArchived(EmailId id) {
    return memory.find(id).orElseThrow().summary().archived();
  }

  private boolean isReleased(EmailId id) {
    return memory.find(id).orElseThrow().summary().owner() == null
        && !store.callsOf("complete").isEmpty();
  }

  private OutboxBuilder node() {
    return Outbox.builder(store.store())
        .transport(new RecordingTransport())
        .defaultFrom("shop@example.com")
        .eventBus(bus)
        .lease(new LeaseSettings(Duration.ofMillis(20), Duration.ofSeconds(15)))
        .processing(ProcessingSettings.DEFAULT.pollInterval(Duration.ofMillis(20)));
  }

  /** An appender whose disk is full. */
  private final class FailingAppender extends Handler {
    @Override
    public void publish(LogRecord record) {
      if (record.getLevel().intValue() != Level.INFO.intValue()) {
        failedLines.incrementAndGet();
        throw new LogError();
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  private static final class LogError extends Error {
    private static final long serialVersionUID = 1L;
  }
}
