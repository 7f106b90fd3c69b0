package dev.outbox.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.eventbus.EventBus;
import dev.outbox.email.State;
import dev.outbox.internal.concurrent.WakeSignal;
import dev.outbox.internal.event.EventPublisher;
import dev.outbox.internal.event.GuardedMetrics;
import dev.outbox.internal.node.InFlightEmails;
import dev.outbox.internal.node.StoreAvailability;
import dev.outbox.internal.stage.SampleClaims;
import dev.outbox.monitoring.OutboxMetrics;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.OutcomeDetails;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CompletionBatcherTest {

  private final AtomicInteger calls = new AtomicInteger();
  private final CountDownLatch failed = new CountDownLatch(1);
  private final InFlightEmails inFlight = new InFlightEmails(new WakeSignal());
  private final StoreAvailability availability = new StoreAvailability(System::nanoTime);
  private final CompletionRecorder recorder =
      new CompletionRecorder(
          store(),
          availability,
          inFlight,
          new EventPublisher(new EventBus()),
          new GuardedMetrics(OutboxMetrics.NONE));
  private final CompletionBatcher batcher =
      new CompletionBatcher(recorder, inFlight, Duration.ZERO);

  @Test
  void anErrorInTheWriterNeitherEndsItsThreadNorLosesAResult() throws InterruptedException {
    Claim first = claimed();
    Claim second = claimed();
    Thread thread = new Thread(batcher);
    thread.start();
    batcher.add(Completion.sent(first, OutcomeDetails.NONE, false));
    assertThat(failed.await(10, TimeUnit.SECONDS)).isTrue();
    availability.markAvailable();

    batcher.add(Completion.sent(second, OutcomeDetails.NONE, false));
    batcher.stop();
    thread.join(10_000);

    assertThat(thread.isAlive()).isFalse();
    assertThat(calls).hasValueGreaterThan(1);
    recorder.flush();
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
              return ((List<?>) arguments[0])
                  .stream().map(each -> CompletionResult.APPLIED).toList();
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
