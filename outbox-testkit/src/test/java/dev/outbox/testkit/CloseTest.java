package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.email.Bytes;
import dev.outbox.email.FailureCode;
import dev.outbox.email.Receipt;
import dev.outbox.email.State;
import dev.outbox.settings.ProcessingSettings;
import dev.outbox.settings.UnknownOutcomePolicy;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.StoredEmail;
import dev.outbox.transport.DeliveryResult;
import dev.outbox.transport.Envelope;
import dev.outbox.transport.RenderedMessage;
import dev.outbox.transport.SendPermit;
import dev.outbox.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CloseTest {

  private final InMemoryStore store = new InMemoryStore();

  @Test
  void closingDuringAHundredSendsLosesNoneAndBurnsNoAttempt() {
    HangingTransport transport = new HangingTransport(false);
    Outbox outbox = started(transport, Duration.ofMillis(50), UnknownOutcomePolicy.RESEND);
    List<Receipt> receipts = send(outbox, 100);
    await().until(() -> transport.hanging.get() == 8);

    outbox.close();

    assertThat(receipts)
        .allSatisfy(
            receipt -> {
              StoredEmail email = store.find(receipt.id()).orElseThrow();
              assertThat(email.summary().state()).isEqualTo(State.ACCEPTED);
              assertThat(email.summary().owner()).isNull();
              assertThat(email.summary().progress().attempts()).isZero();
              assertThat(email.summary().progress().reaps()).isZero();
            });
    RecordingTransport next = new RecordingTransport();
    Outbox successor = outbox(next, Duration.ofSeconds(1), UnknownOutcomePolicy.RESEND);
    store.advance(Duration.ofSeconds(1));
    successor.processDue();
    assertThat(next.sent().size()).isEqualTo(100);
  }

  @Test
  void whatEndsWithinTheGraceTimeIsRecordedAsSent() {
    HangingTransport transport = new HangingTransport(false);
    Outbox outbox = started(transport, Duration.ofSeconds(20), UnknownOutcomePolicy.RESEND);
    send(outbox, 8);
    await().until(() -> transport.hanging.get() == 8);
    Thread closing = new Thread(outbox::close);
    closing.start();
    await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);

    transport.goOn.countDown();

    await().until(() -> !closing.isAlive());
    assertThat(store.stats()).isEmpty();
  }

  @Test
  void whatWasSentIsRecordedWhenTheStoreComesBackWithinTheGraceTime() {
    Faults faults = new Faults(store);
    HangingTransport transport = new HangingTransport(true);
    Outbox outbox =
        outbox(faults.seen(), transport, Duration.ofSeconds(20), UnknownOutcomePolicy.HOLD).start();
    send(outbox, 8);
    await().until(() -> transport.hanging.get() == 8);
    faults.down(true);
    Thread closing = new Thread(outbox::close);
    closing.start();
    transport.goOn.countDown();
    await().until(() -> transport.closed.getCount() == 0);
    await().pollDelay(Duration.ofMillis(500)).until(closing::isAlive);

    faults.down(false);

    await().until(() -> !closing.isAlive());
    assertThat(store.stats()).as("all of them are in the log").isEmpty();
  }

  @Test
  void afterTheFinalDotTheOutcomeIsUnknownAndFollowsThePolicy() {
    HangingTransport transport = new HangingTransport(true);
    Outbox outbox = started(transport, Duration.ofMillis(50), UnknownOutcomePolicy.HOLD);
    List<Receipt> receipts = send(outbox, 8);
    await().until(() -> transport.hanging.get() == 8);

    outbox.close();

    assertThat(receipts)
        .allSatisfy(
            receipt -> {
              StoredEmail email = store.find(receipt.id()).orElseThrow();
              assertThat(email.summary().state()).isEqualTo(State.FAILED);
              assertThat(email.summary().code()).isEqualTo(FailureCode.OUTCOME_UNKNOWN);
            });
  }

  @Test
  void noThreadIsLeftAndTwiceIsFine() {
    Outbox outbox =
        started(new RecordingTransport(), Duration.ofSeconds(1), UnknownOutcomePolicy.RESEND);
    send(outbox, 500);

    outbox.close();
    outbox.close();

    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .noneMatch(name -> name.startsWith("outbox-closing"));
  }

  @Test
  void aDeliveryThatHangsOnALivingNodeEndsAtItsDeadline() {
    HangingTransport transport = new HangingTransport(false);
    try (Outbox outbox =
        Outbox.builder(store)
            .transport(transport)
            .defaultFrom("shop@example.com")
            .processing(ProcessingSettings.DEFAULT.stageTimeout(Duration.ofMillis(100)))
            .build()
            .start()) {
      List<Receipt> receipts = send(outbox, 1);
      await()
          .until(
              () ->
                  store.find(receipts.get(0).id()).orElseThrow().summary().state() == State.READY);
      assertThat(store.find(receipts.get(0).id()).orElseThrow().summary().progress().attempts())
          .isEqualTo(1);
    }
  }

  private static List<Receipt> send(Outbox outbox, int emails) {
    return outbox.sendAll(
        IntStream.range(0, emails).mapToObj(i -> Cluster.email("a" + i + "@example.com")).toList());
  }

  private Outbox started(Transport transport, Duration grace, UnknownOutcomePolicy policy) {
    return outbox(transport, grace, policy).start();
  }

  private Outbox outbox(Transport transport, Duration grace, UnknownOutcomePolicy policy) {
    return outbox(store, transport, grace, policy);
  }

  private static Outbox outbox(
      OutboxStore store, Transport transport, Duration grace, UnknownOutcomePolicy policy) {
    return Outbox.builder(store)
        .transport(transport)
        .defaultFrom("shop@example.com")
        .nodeName("closing")
        .unknownOutcome(policy)
        .processing(ProcessingSettings.DEFAULT.shutdownTimeout(grace))
        .build();
  }

  /** A relay that does not answer before it is told to, or its connections are closed. */
  private static final class HangingTransport implements Transport {
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicInteger hanging = new AtomicInteger();
    private final boolean afterTheDot;

    HangingTransport(boolean afterTheDot) {
      this.afterTheDot = afterTheDot;
    }

    @Override
    public Bytes compose(RenderedMessage message) {
      return Bytes.utf8("message");
    }

    @Override
    public DeliveryResult deliver(Envelope envelope, Bytes message, SendPermit permit) {
      hanging.incrementAndGet();
      try {
        while (closed.getCount() > 0) {
          if (goOn.await(5, TimeUnit.MILLISECONDS)) {
            return RecordingTransport.accept(envelope);
          }
        }
      } catch (InterruptedException e) {
        return new DeliveryResult.Unknown("interrupted");
      }
      return afterTheDot
          ? new DeliveryResult.Unknown("connection closed")
          : new DeliveryResult.NotSent();
    }

    @Override
    public int availableCapacity(int wanted) {
      return wanted;
    }

    @Override
    public void close() {
      closed.countDown();
    }
  }
}
