package dev.outbox.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.eventbus.EventBus;
import com.google.common.eventbus.Subscribe;
import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import dev.outbox.event.OutboxEvent;
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
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No error of an announcement keeps a recorded result among the unrecorded ones. */
class PublishedResultsTest {

  private final List<EmailId> recorded = new ArrayList<>();
  private final List<Integer> inFlightWhenAnnounced = new ArrayList<>();
  private final EventBus bus = new EventBus();
  private final WakeSignal room = new WakeSignal();
  private final InFlightEmails inFlight = new InFlightEmails(room);
  private final StoreAvailability availability = new StoreAvailability(System::nanoTime);
  private final CompletionRecorder recorder =
      new CompletionRecorder(
          store(),
          availability,
          inFlight,
          new EventPublisher(bus),
          new GuardedMetrics(OutboxMetrics.NONE));
  private int batches;

  static Stream<Throwable> failures() {
    return Stream.of(new IllegalStateException("no announcement"), new UndescribableError());
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aFailedAnnouncementLeavesNoResultOfItsBatchUnrecorded(Throwable failure)
      throws InterruptedException {
    recorder.onRecorded(done -> recorded.add(done.id()), () -> batches++);
    recorder.onCallbackDue(() -> sneaky(failure));
    List<Completion> batch =
        IntStream.range(0, 3)
            .mapToObj(i -> claimed(State.CALLING_SENT_CALLBACK))
            .map(claim -> Completion.released(claim, Duration.ZERO, OutcomeDetails.NONE))
            .toList();

    recorder.record(batch);

    assertThat(recorded).containsExactlyElementsOf(batch.stream().map(Completion::id).toList());
    assertThat(batches).isEqualTo(1);
    assertThat(inFlight.size()).isZero();
    assertThat(room.await(Duration.ZERO)).as("room is signalled").isTrue();
    assertThat(recorder.hasUnwrittenCompletions()).isFalse();
    assertThat(availability.isUnavailable()).isFalse();
  }

  @Test
  void aResultIsAnnouncedBeforeItsEmailLeavesTheSetInFlight() {
    bus.register(this);
    List<Completion> batch =
        IntStream.range(0, 3)
            .mapToObj(i -> Completion.sent(claimed(State.PROCESSING), OutcomeDetails.NONE, false))
            .toList();

    recorder.record(batch);

    assertThat(inFlightWhenAnnounced).containsExactly(3, 3, 3);
    assertThat(recorder.sentCount()).isEqualTo(3);
    assertThat(inFlight.size()).isZero();
  }

  @Subscribe
  void onSent(OutboxEvent.EmailSent event) {
    inFlightWhenAnnounced.add(inFlight.size());
  }

  private Claim claimed(State busy) {
    Claim claim = SampleClaims.in(busy);
    inFlight.add(List.of(claim));
    return claim;
  }

  private static OutboxStore store() {
    return (OutboxStore)
        Proxy.newProxyInstance(
            OutboxStore.class.getClassLoader(),
            new Class<?>[] {OutboxStore.class},
            (proxy, method, arguments) ->
                ((List<?>) arguments[0]).stream().map(each -> CompletionResult.APPLIED).toList());
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneaky(Throwable thrown) throws T {
    throw (T) thrown;
  }

  /** An error that cannot be described, and therefore not be logged. */
  private static final class UndescribableError extends Error {
    private static final long serialVersionUID = 1L;

    @Override
    public synchronized Throwable getCause() {
      throw new IllegalStateException("unknown");
    }
  }
}
