package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.common.eventbus.Subscribe;
import dev.outbox.Outbox;
import dev.outbox.email.Bytes;
import dev.outbox.email.Receipt;
import dev.outbox.email.State;
import dev.outbox.event.OutboxEvent;
import dev.outbox.settings.ProcessingSettings;
import dev.outbox.store.StoredEmail;
import dev.outbox.transport.DeliveryResult;
import dev.outbox.transport.Envelope;
import dev.outbox.transport.RenderedMessage;
import dev.outbox.transport.SendPermit;
import dev.outbox.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Closing ends a pass that runs on the thread of another caller. */
class CloseDuringPassTest {

  /** The common pool has one thread on a machine with two cores, and the tests need two. */
  private static final Executor THREADS = task -> new Thread(task).start();

  private final InMemoryStore store = new InMemoryStore();
  private final HangingTransport transport = new HangingTransport();

  @AfterEach
  void release() {
    transport.goOn.countDown();
  }

  @Test
  void closingEndsARunningPassAfterTheGraceTime() throws Exception {
    transport.endsWhenClosed = true;
    Outbox outbox = outbox(Duration.ofMillis(100));
    List<Receipt> receipts = outbox.sendAll(Mails.many(20));
    CompletableFuture<Integer> pass = CompletableFuture.supplyAsync(outbox::processDue, THREADS);
    await().until(() -> transport.delivering.getCount() == 0);

    CompletableFuture.runAsync(outbox::close, THREADS).get(8, TimeUnit.SECONDS);

    assertThat(pass.get(1, TimeUnit.SECONDS)).isEqualTo(20);
    assertThat(receipts).allSatisfy(this::isReleased);
    assertThatThrownBy(outbox::processDue).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aDeliveryThatIgnoresTheClosedTransportIsInterrupted() throws Exception {
    Outbox outbox = outbox(Duration.ofMillis(100));
    outbox.sendAll(Mails.many(3));
    CompletableFuture<Boolean> interrupted =
        CompletableFuture.supplyAsync(
            () -> {
              outbox.processDue();
              return Thread.currentThread().isInterrupted();
            },
            THREADS);
    await().until(() -> transport.delivering.getCount() == 0);

    CompletableFuture.runAsync(outbox::close, THREADS).get(20, TimeUnit.SECONDS);

    assertThat(interrupted.get(5, TimeUnit.SECONDS)).as("flag after the pass").isFalse();
    assertThat(transport.interrupted.getCount()).isZero();
  }

  @Test
  void aDeliveryUnderWayMayEndWithinTheGraceTimeAndNoOtherStarts() throws Exception {
    Outbox outbox = outbox(Duration.ofSeconds(30));
    List<Receipt> receipts = outbox.sendAll(Mails.many(5));
    CompletableFuture<Integer> pass = CompletableFuture.supplyAsync(outbox::processDue, THREADS);
    await().until(() -> transport.delivering.getCount() == 0);
    CompletableFuture<Void> closing = CompletableFuture.runAsync(outbox::close, THREADS);
    await().pollDelay(Duration.ofMillis(100)).until(() -> !closing.isDone());

    transport.goOn.countDown();

    closing.get(5, TimeUnit.SECONDS);
    pass.get(5, TimeUnit.SECONDS);
    List<StoredEmail> emails =
        receipts.stream().map(receipt -> store.find(receipt.id()).orElseThrow()).toList();
    assertThat(emails).filteredOn(email -> email.summary().archived()).hasSize(1);
    assertThat(receipts.stream().filter(this::wasReleased)).hasSize(4);
  }

  @Test
  void aSubscriberMayCloseTheOutboxDuringAPass() {
    transport.goOn.countDown();
    Outbox outbox = outbox(Duration.ofSeconds(5));
    outbox.register(
        new Object() {
          @Subscribe
          public void on(OutboxEvent.EmailSent sent) {
            outbox.close();
          }
        });
    outbox.sendAll(Mails.many(3));

    assertThatCode(
            () -> CompletableFuture.runAsync(outbox::processDue, THREADS).get(4, TimeUnit.SECONDS))
        .doesNotThrowAnyException();
  }

  private void isReleased(Receipt receipt) {
    assertThat(wasReleased(receipt)).isTrue();
  }

  private boolean wasReleased(Receipt receipt) {
    StoredEmail email = store.find(receipt.id()).orElseThrow();
    return email.summary().state() == State.ACCEPTED
        && email.summary().owner() == null
        && email.summary().progress().attempts() == 0;
  }

  private Outbox outbox(Duration grace) {
    return Outbox.builder(store)
        .transport(transport)
        .defaultFrom("shop@example.com")
        .processing(ProcessingSettings.DEFAULT.shutdownTimeout(grace))
        .build();
  }

  /** A relay that answers when the test says so, or when its connections are closed. */
  private static final class HangingTransport implements Transport {
    private final CountDownLatch delivering = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private volatile boolean endsWhenClosed;

    @Override
    public Bytes compose(RenderedMessage message) {
      return Bytes.utf8("message");
    }

    @Override
    public DeliveryResult deliver(Envelope envelope, Bytes message, SendPermit permit) {
      delivering.countDown();
      try {
        while (!endsWhenClosed || closed.getCount() > 0) {
          if (goOn.await(5, TimeUnit.MILLISECONDS)) {
            return RecordingTransport.accept(envelope);
          }
        }
      } catch (InterruptedException e) {
        interrupted.countDown();
        Thread.currentThread().interrupt();
      }
      return new DeliveryResult.NotSent();
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
