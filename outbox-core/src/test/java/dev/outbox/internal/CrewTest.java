package dev.outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.callback.CallbackPolicy;
import dev.outbox.callback.CallbackResult;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import dev.outbox.event.OutboxMetrics;
import dev.outbox.retry.RetryPolicy;
import dev.outbox.settings.ProcessorSettings;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.UnknownOutcome;
import dev.outbox.transport.DeliveryResult;
import dev.outbox.transport.Envelope;
import dev.outbox.transport.Message;
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
class CrewTest implements Transport {

  private static final Bytes MESSAGE = Bytes.utf8("message");

  private final CountDownLatch delivering = new CountDownLatch(1);
  private final CountDownLatch relay = new CountDownLatch(1);
  private final AtomicLong jobClock = new AtomicLong(1_000);
  private final Jobs jobs = new Jobs(jobClock::get);
  private final Outage outage = new Outage(System::nanoTime);
  private final InFlight inFlight = new InFlight(new Signal());
  private final BlockingQueue<Completion> results = new LinkedBlockingQueue<>();
  private final List<Thread> threads = new CopyOnWriteArrayList<>();

  @Test
  void anIntakeThatWaitsTooLongForADeliveryWorkerSaysSo() throws InterruptedException {
    Crew crew = crew();
    crew.dispatch(
        List.of(SampleClaims.of(EmailId.next(), 1, State.PROCESSING, MESSAGE)), System.nanoTime());
    assertThat(delivering.await(10, TimeUnit.SECONDS)).isTrue();
    // The delivery is not overdue when the intake is.
    jobClock.set(0);
    crew.dispatch(List.of(SampleClaims.in(State.INTAKING)), System.nanoTime());
    until(() -> threads.size() == 2 && threads.get(1).getState() == Thread.State.WAITING);
    jobClock.set(500);

    jobs.expire(100);

    Completion released = results.poll(10, TimeUnit.SECONDS);
    assertThat(Objects.requireNonNull(released).to()).isEqualTo(State.ACCEPTED);
    assertThat(released.report().reason()).isEqualTo("no delivery worker was free in time");
    relay.countDown();
    crew.close();
    assertThat(crew.await(Duration.ofSeconds(10))).isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"INTAKING", "PROCESSING", "CALLING_SENT_CALLBACK"})
  void emailsThatAreClaimedWhileTheNodeClosesAreReleased(State busy) {
    Crew crew = crew();
    crew.close();
    assertThat(crew.await(Duration.ofSeconds(10))).isTrue();
    Claim claim = SampleClaims.of(EmailId.next(), 1, busy, MESSAGE);

    crew.dispatch(List.of(claim), System.nanoTime());

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

  private Crew crew() {
    Lease lease = new Lease(SampleClaims.NODE, store(), System::nanoTime, Duration.ofMinutes(1));
    lease.beat();
    Meter meter = new Meter(OutboxMetrics.NONE);
    Workshop workshop =
        new Workshop(
            store(),
            new Intake(null, this, Intake.PutBack.within(Duration.ofMinutes(10))),
            new Delivery(
                this,
                lease,
                RetryPolicy.schedule("1m"),
                UnknownOutcome.HOLD,
                false,
                System::nanoTime),
            new Calling(
                notice -> new CallbackResult.Acknowledged("ok"), CallbackPolicy.DEFAULT, false),
            outage,
            inFlight,
            meter,
            System::nanoTime);
    return new Crew(
        workshop,
        results::add,
        jobs,
        new UnrecordedDeliveries(500, Duration.ofMillis(100), System::nanoTime),
        outage,
        ProcessorSettings.DEFAULT.workers(1),
        UnknownOutcome.HOLD,
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
  public Bytes compose(Message message) {
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
    return new DeliveryResult.Withheld();
  }

  @Override
  public int grants(int wanted) {
    return wanted;
  }

  @Override
  public void close() {}
}
