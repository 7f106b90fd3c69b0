package dev.outbox.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.FailureCode;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.RecipientResult.Status;
import dev.outbox.email.State;
import dev.outbox.internal.stage.SampleClaims;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.OutcomeDetails;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** At most two results, at most 100 ms old. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnrecordedDeliveriesTest {

  private final AtomicLong now = new AtomicLong();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final UnrecordedDeliveries unrecorded =
      new UnrecordedDeliveries(2, Duration.ofMillis(100), now::get);

  @Test
  void aDeliveryInProgressHasItsPlaceBeforeItsResultIsKnown() throws InterruptedException {
    assertThat(starts()).isTrue();
    assertThat(starts()).isTrue();
    assertThat(starts()).as("a third one").isFalse();

    unrecorded.ended();

    assertThat(starts()).isTrue();
  }

  @Test
  void aResultKeepsItsPlaceUntilItIsRecorded() throws InterruptedException {
    Completion first = deliver(sent());
    deliver(sent());
    assertThat(starts()).isFalse();

    unrecorded.recorded(first);

    assertThat(starts()).isTrue();
  }

  @Test
  void nothingStartsWhileTheOldestResultIsTooOld() throws InterruptedException {
    Completion first = deliver(sent());
    now.addAndGet(Duration.ofMillis(100).toNanos());
    assertThat(starts()).as("at the limit").isTrue();
    unrecorded.ended();
    now.incrementAndGet();
    assertThat(starts()).as("after the limit").isFalse();

    unrecorded.recorded(first);

    assertThat(starts()).isTrue();
  }

  @Test
  void onlyResultsAfterWhichARelayMayHaveTheEmailCount() throws InterruptedException {
    Claim claim = SampleClaims.in(State.PROCESSING);
    List<RecipientResult> refused =
        List.of(new RecipientResult("ada@example.com", Status.REFUSED, "550"));
    List<RecipientResult> open =
        List.of(new RecipientResult("ada@example.com", Status.PENDING, "450"));
    Duration minute = Duration.ofMinutes(1);

    assertThat(counts(Completion.sent(claim, OutcomeDetails.NONE, false))).as("sent").isTrue();
    assertThat(
            counts(
                Completion.failedAfterAttempt(
                    claim, FailureCode.REFUSED, OutcomeDetails.NONE.recipients(refused), null)))
        .as("refused")
        .isTrue();
    assertThat(counts(Completion.retry(claim, minute, OutcomeDetails.of("no answer"), null)))
        .as("unknown")
        .isTrue();
    assertThat(counts(Completion.retry(claim, minute, OutcomeDetails.NONE.recipients(open), null)))
        .as("deferred")
        .isFalse();
    assertThat(counts(Completion.postponed(claim, minute, OutcomeDetails.of("slow down"), null)))
        .as("postponed")
        .isFalse();
    assertThat(counts(Completion.released(claim, minute, OutcomeDetails.NONE)))
        .as("released")
        .isFalse();
    Claim call = SampleClaims.in(State.CALLING_SENT_CALLBACK);
    assertThat(counts(Completion.callbackRetry(call, minute, OutcomeDetails.NONE)))
        .as("callback")
        .isFalse();
  }

  @Test
  void aLateSuccessAfterAnUnknownOutcomeHasAPlaceOfItsOwn() throws InterruptedException {
    Claim claim = SampleClaims.in(State.PROCESSING);
    Completion unknown = Completion.retry(claim, Duration.ofMinutes(1), OutcomeDetails.NONE, null);
    Completion late = Completion.sent(claim, OutcomeDetails.NONE, false);
    unrecorded.add(claim, unknown);
    unrecorded.add(claim, late);
    assertThat(starts()).isFalse();

    unrecorded.recorded(unknown);
    now.addAndGet(Duration.ofMillis(101).toNanos());
    assertThat(starts()).as("the late result is still unrecorded").isFalse();

    unrecorded.recorded(late);
    unrecorded.recorded(late);
    assertThat(starts()).isTrue();
    assertThat(starts()).isTrue();
    assertThat(starts()).isFalse();
  }

  @Test
  void aWaitingDeliveryStartsWhenAResultIsRecorded() throws Exception {
    Completion first = deliver(sent());
    deliver(sent());
    CompletableFuture<Boolean> waiting = waiting();

    unrecorded.recorded(first);
    unrecorded.wake();

    assertThat(waiting.get(500, TimeUnit.MILLISECONDS)).isTrue();
  }

  @Test
  void aWaitingDeliveryGivesUpWhenItHasToStop() throws Exception {
    deliver(sent());
    deliver(sent());
    CompletableFuture<Boolean> waiting = waiting();

    stopped.set(true);
    unrecorded.wake();

    assertThat(waiting.get(500, TimeUnit.MILLISECONDS)).isFalse();
  }

  private CompletableFuture<Boolean> waiting() throws InterruptedException {
    CompletableFuture<Boolean> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(unrecorded.awaitStart(stopped::get));
              } catch (InterruptedException e) {
                result.completeExceptionally(e);
              }
            });
    thread.start();
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    return result;
  }

  private boolean starts() throws InterruptedException {
    AtomicBoolean asked = new AtomicBoolean();
    return unrecorded.awaitStart(() -> asked.getAndSet(true));
  }

  private boolean counts(Completion result) throws InterruptedException {
    Claim claim = SampleClaims.of(result.id(), result.token(), result.from());
    unrecorded.add(claim, result);
    unrecorded.add(claim, result);
    boolean counted = !starts();
    if (!counted) {
      unrecorded.ended();
    }
    unrecorded.recorded(result);
    unrecorded.recorded(result);
    return counted;
  }

  private Completion deliver(Completion result) throws InterruptedException {
    assertThat(starts()).isTrue();
    unrecorded.add(SampleClaims.of(result.id(), result.token(), result.from()), result);
    unrecorded.ended();
    return result;
  }

  private static Completion sent() {
    return Completion.sent(SampleClaims.in(State.PROCESSING), OutcomeDetails.NONE, false);
  }
}
