package dev.outbox.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.callback.CallbackResult;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import dev.outbox.internal.concurrent.WakeSignal;
import dev.outbox.internal.event.GuardedMetrics;
import dev.outbox.internal.node.InFlightEmails;
import dev.outbox.internal.node.NodeLease;
import dev.outbox.internal.node.StoreAvailability;
import dev.outbox.internal.node.UnrecordedDeliveries;
import dev.outbox.internal.stage.CallbackStage;
import dev.outbox.internal.stage.DeliveryStage;
import dev.outbox.internal.stage.IntakeStage;
import dev.outbox.internal.stage.SampleClaims;
import dev.outbox.internal.stage.Stages;
import dev.outbox.monitoring.OutboxMetrics;
import dev.outbox.retry.RetryPolicy;
import dev.outbox.settings.CallbackSettings;
import dev.outbox.settings.ProcessingSettings;
import dev.outbox.settings.UnknownOutcomePolicy;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.OutboxStore;
import dev.outbox.transport.DeliveryResult;
import dev.outbox.transport.Envelope;
import dev.outbox.transport.RenderedMessage;
import dev.outbox.transport.SendPermit;
import dev.outbox.transport.Transport;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One worker under a policy that holds unknown outcomes. */
class DispatcherTest implements Transport {

  private static final Bytes MESSAGE = Bytes.utf8("message");

  private final CountDownLatch delivering = new CountDownLatch(1);
  private final CountDownLatch relay = new CountDownLatch(1);
  private final AtomicLong jobClock = new AtomicLong(1_000);
  private final RunningTasks tasks = new RunningTasks(jobClock::get);
  private final StoreAvailability availability = new StoreAvailability(System::nanoTime);
  private final InFlightEmails inFlight = new InFlightEmails(new WakeSignal());
  private final BlockingQueue<Completion> results = new LinkedBlockingQueue<>();
  private final List<Thread> threads = new CopyOnWriteArrayList<>();

  @Test
  void anIntakeThatWaitsTooLongForADeliveryWorkerSaysSo() throws InterruptedException {
    Dispatcher dispatcher = crew();
    dispatcher.dispatch(
        List.of(SampleClaims.of(EmailId.next(), 1, State.PROCESSING, MESSAGE)), System.nanoTime());
    assertThat(delivering.await(10, TimeUnit.SECONDS)).isTrue();
    // The delivery is not overdue when the intake is.
    jobClock.set(0);
    dispatcher.dispatch(List.of(SampleClaims.in(State.INTAKING)), System.nanoTime());
    until(() -> threads.size() == 2 && threads.get(1).getState() == Thread.State.WAITING);
    jobClock.set(500);

    tasks.expire(100);

    Completion released = results.poll(10, TimeUnit.SECONDS);
    assertThat(Objects.requireNonNull(released).to()).isEqualTo(State.ACCEPTED);
    assertThat(released.report().reason()).isEqualTo("no delivery worker was free in time");
    relay.countDown();
    dispatcher.close();
    assertThat(dispatcher.await(Duration.ofSeconds(10))).isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"INTAKING", "PROCESSING", "CALLING_SENT_CALLBACK"})
  void emailsThatAreClaimedWhileTheNodeClosesAreReleased(State busy) {
    Dispatcher dispatcher = crew();
    dispatcher.close();
    assertThat(dispatcher.await(Duration.ofSeconds(10))).isTrue();
    Claim claim = SampleClaims.of(EmailId.next(), 1, busy, MESSAGE);

    dispatcher.dispatch(List.of(claim), System.nanoTime());

    assertThat(results)
        .satisfiesExactly(
            released -> {
              assertThat(released.id()).isEqualTo(claim.id());
              assertThat(released.report().reason()).isEqualTo("the node is closing");
              assertThat(released.progress()).isEqualTo(claim.email().progress());
            });
  }

  private static void until(BooleanSupplier condition) throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    for (int i = 0; i < 1_000 && !condition.getAsBoolean(); i++) {
      assertThat(never.await(10, TimeUnit.MILLISECONDS)).isFalse();
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }

  private Dispatcher crew() {
    NodeLease lease =
        new NodeLease(SampleClaims.NODE, store(), System::nanoTime, Duration.ofMinutes(1));
    lease.beat();
    GuardedMetrics metrics = new GuardedMetrics(OutboxMetrics.NONE);
    Stages stages =
        new Stages(
            store(),
            new IntakeStage(null, this, IntakeStage.Deferral.within(Duration.ofMinutes(10))),
            new DeliveryStage(
                this,
                lease,
                RetryPolicy.schedule("1m"),
                UnknownOutcomePolicy.HOLD,
                false,
                System::nanoTime),
            new CallbackStage(
                notice -> new CallbackResult.Acknowledged("ok"), CallbackSettings.DEFAULT, false),
            availability,
            inFlight,
            metrics,
            System::nanoTime);
    return new Dispatcher(
        stages,
        results::add,
        tasks,
        new UnrecordedDeliveries(500, Duration.ofMillis(100), System::nanoTime),
        availability,
        ProcessingSettings.DEFAULT.workers(1),
        UnknownOutcomePolicy.HOLD,
        work -> {
          Thread thread = new Thread(work);
          threads.add(thread);
          return thread;
        });
  }

  private static OutboxStore store() {
    return (OutboxStore)
        Proxy.newProxyInstance(
            OutboxStore.class.getClassLoader(),
            new Class<?>[] {OutboxStore.class},
            (proxy, method, arguments) -> List.of());
  }

  @Override
  public Bytes compose(RenderedMessage message) {
    return MESSAGE;
  }

  @Override
  public DeliveryResult deliver(Envelope envelope, Bytes message, SendPermit permit) {
    delivering.countDown();
    try {
      assertThat(relay.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return new DeliveryResult.NotSent();
  }

  @Override
  public int availableCapacity(int wanted) {
    return wanted;
  }

  @Override
  public void close() {}
}
