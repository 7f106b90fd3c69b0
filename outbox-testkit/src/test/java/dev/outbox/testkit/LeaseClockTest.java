package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.store.OutboxStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A lease counts from before its beat was asked for: others may have seen it right then. */
class LeaseClockTest {

  private final InMemoryStore store = new InMemoryStore();
  private final AtomicLong nanos = new AtomicLong();
  private final RecordingTransport transport = new RecordingTransport();
  private Duration beatTakes = Duration.ZERO;

  @Test
  void aBeatThatIsAnsweredAfterHalfALeaseGivesNoRightToSend() {
    Outbox outbox =
        Outbox.builder(slowlyBeating())
            .transport(transport)
            .monotonicClock(nanos::get)
            .defaultFrom("shop@example.com")
            .build();
    outbox.send(Cluster.email("ada@example.com"));

    beatTakes = Cluster.LEASE.dividedBy(2);
    outbox.processDue();
    assertThat(transport.sent()).isEmpty();

    beatTakes = Cluster.LEASE.dividedBy(2).minusMillis(1);
    store.advance(Duration.ofMinutes(1));
    outbox.processDue();
    assertThat(transport.sent()).hasSize(1);
  }

  private OutboxStore slowlyBeating() {
    return (OutboxStore)
        Proxy.newProxyInstance(
            LeaseClockTest.class.getClassLoader(),
            new Class<?>[] {OutboxStore.class},
            (proxy, method, args) -> {
              if (method.getName().equals("beat")) {
                nanos.addAndGet(beatTakes.toNanos());
              }
              try {
                return method.invoke(store, args);
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
            });
  }
}
