package dev.outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.eventbus.EventBus;
import dev.outbox.email.State;
import dev.outbox.event.OutboxMetrics;
import dev.outbox.store.Claim;
import dev.outbox.store.Completed;
import dev.outbox.store.Completion;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.Report;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class GroupWriterTest {

  private final AtomicInteger calls = new AtomicInteger();
  private final CountDownLatch failed = new CountDownLatch(1);
  private final InFlight inFlight = new InFlight(new Signal());
  private final Outage outage = new Outage(System::nanoTime);
  private final Ledger ledger =
      new Ledger(
          store(), outage, inFlight, new Notices(new EventBus()), new Meter(OutboxMetrics.NONE));
  private final GroupWriter writer = new GroupWriter(ledger, inFlight, Duration.ZERO);

  @Test
  void anErrorInTheWriterNeitherEndsItsThreadNorLosesAResult() throws InterruptedException {
    Claim first = claimed();
    Claim second = claimed();
    Thread thread = new Thread(writer);
    thread.start();
    writer.add(Completion.sent(first, Report.NONE, false));
    assertThat(failed.await(10, TimeUnit.SECONDS)).isTrue();
    outage.end();

    writer.add(Completion.sent(second, Report.NONE, false));
    writer.stop();
    thread.join(10_000);

    assertThat(thread.isAlive()).isFalse();
    assertThat(calls).hasValueGreaterThan(1);
    ledger.settle();
    assertThat(inFlight.size()).as("both results are recorded").isZero();
  }

  private Claim claimed() {
    Claim claim = SampleClaims.in(State.PROCESSING);
    inFlight.add(List.of(claim));
    return claim;
  }

  /** Fails once with an error whose description fails too. */
  private OutboxStore store() {
    return (OutboxStore)
        Proxy.newProxyInstance(
            OutboxStore.class.getClassLoader(),
            new Class<?>[] {OutboxStore.class},
            (proxy, method, arguments) -> {
              if (calls.incrementAndGet() <= 2) {
                throw new UndescribableError(failed);
              }
              return ((List<?>) arguments[0]).stream().map(each -> Completed.APPLIED).toList();
            });
  }

  /** An error that cannot even be described. */
  private static final class UndescribableError extends Error {
    private static final long serialVersionUID = 1L;
    private final transient CountDownLatch described;

    UndescribableError(CountDownLatch described) {
      this.described = described;
    }

    @Override
    public synchronized Throwable getCause() {
      described.countDown();
      throw new StackOverflowError();
    }
  }
}
