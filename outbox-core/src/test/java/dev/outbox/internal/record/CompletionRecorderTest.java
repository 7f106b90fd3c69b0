package dev.outbox.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.eventbus.EventBus;
import com.google.common.eventbus.Subscribe;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.FailureCode;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.RecipientResult.Status;
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
import dev.outbox.store.StoreException;
import dev.outbox.store.StoreException.Reason;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches of results that a store takes, rejects, or cannot take at all. */
class CompletionRecorderTest {

  private static final int BATCH = 500;
  private static final OutcomeDetails FULL = OutcomeDetails.of("why").response("250 ok");

  private final Map<EmailId, Completion> stored = new LinkedHashMap<>();
  private final Set<EmailId> bad = new HashSet<>();
  private final List<EmailId> announced = new ArrayList<>();
  private int calls;
  private boolean incomplete;
  private CompletionResult answer = CompletionResult.APPLIED;
  private Function<List<Completion>, @Nullable RuntimeException> fault = this::rejection;

  private final InFlightEmails inFlight = new InFlightEmails(new WakeSignal());
  private final StoreAvailability availability = new StoreAvailability(System::nanoTime);
  private final EventBus bus = new EventBus();
  private final CompletionRecorder recorder =
      new CompletionRecorder(
          store(),
          availability,
          inFlight,
          new EventPublisher(bus),
          new GuardedMetrics(OutboxMetrics.NONE));

  @BeforeEach
  void listen() {
    bus.register(this);
  }

  @Subscribe
  void onSent(OutboxEvent.EmailSent event) {
    announced.add(event.id());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 249, 250, 377, 499})
  void oneBadResultOfABatchOf500IsIsolatedWithAbout18Calls(int position) {
    List<Completion> batch = sent(BATCH);
    bad.add(batch.get(position).id());

    recorder.record(batch);

    assertThat(calls).isBetween(10, 20);
    assertThat(stored).hasSize(BATCH);
    assertReduced(batch.get(position));
    assertOthersAreStoredInFull(batch);
    assertNothingIsLeft();
    assertThat(announced).doesNotHaveDuplicates().hasSize(BATCH);
  }

  @Test
  void severalBadResultsOfABatchAreIsolated() {
    List<Completion> batch = sent(BATCH);
    for (int position : new int[] {3, 4, 5, 260, 499}) {
      bad.add(batch.get(position).id());
    }

    recorder.record(batch);

    assertThat(stored).hasSize(BATCH);
    batch.stream().filter(each -> bad.contains(each.id())).forEach(this::assertReduced);
    assertOthersAreStoredInFull(batch);
    assertNothingIsLeft();
  }

  @Test
  void aBadResultThatIsAloneIsRecordedInItsReducedForm() {
    List<Completion> batch = sent(1);
    bad.add(batch.get(0).id());

    recorder.record(batch);

    assertThat(calls).isEqualTo(2);
    assertReduced(batch.get(0));
    assertNothingIsLeft();
  }

  @Test
  void aBatchOfBadResultsIsRecordedInReducedFormAndIsNoOutage() {
    List<Completion> batch = sent(BATCH);
    batch.forEach(each -> bad.add(each.id()));

    recorder.record(batch);

    batch.forEach(this::assertReduced);
    assertNothingIsLeft();
  }

  @Test
  void aReducedFormThatFailsTooIsAnOutageAndStopsTheSplitting() {
    List<Completion> batch = sent(BATCH);
    fault = all -> new IllegalStateException("no such table");

    recorder.record(batch);

    assertThat(calls).isLessThan(15);
    assertThat(availability.isUnavailable()).isTrue();
    assertThat(recorder.hasUnwrittenCompletions()).isTrue();
    assertThat(stored).isEmpty();
    assertThat(inFlight.size()).isEqualTo(BATCH);
    fault = all -> null;
    recorder.flush();
    assertThat(stored).hasSize(BATCH);
    assertOthersAreStoredInFull(batch);
  }

  @Test
  void whatWasStoredBeforeAnOutageIsNotStoredAgainInAnotherForm() {
    List<Completion> batch = sent(8);
    bad.add(batch.get(5).id());
    fault =
        all ->
            stored.size() >= 4
                ? new StoreException(Reason.UNAVAILABLE, "gone", null)
                : rejection(all);
    recorder.record(batch);
    assertThat(stored).hasSize(4);
    assertThat(inFlight.size()).isEqualTo(4);
    assertThat(announced).hasSize(4);

    fault = all -> null;
    recorder.flush();

    assertThat(stored).hasSize(8);
    batch.forEach(each -> assertThat(stored.get(each.id())).isSameAs(each));
    assertThat(announced).containsExactlyElementsOf(batch.stream().map(Completion::id).toList());
  }

  @ParameterizedTest
  @EnumSource(
      value = Reason.class,
      names = {"UNAVAILABLE", "MISCONFIGURED"})
  void aStoreThatCannotBeUsedIsAnOutageAtOnce(Reason reason) {
    List<Completion> batch = sent(BATCH);
    fault = all -> new StoreException(reason, "gone", null);

    recorder.record(batch);

    assertThat(calls).isEqualTo(1);
    assertThat(availability.isUnavailable()).isTrue();
    fault = all -> null;
    recorder.flush();
    assertThat(stored).hasSize(BATCH);
    assertOthersAreStoredInFull(batch);
  }

  @Test
  void anInterruptIsNoOutageAndTheResultsAreKept() {
    List<Completion> batch = sent(3);
    fault = all -> new StoreException(Reason.INTERRUPTED, "interrupted", null);

    recorder.record(batch);

    assertThat(calls).isEqualTo(1);
    assertThat(availability.isUnavailable()).isFalse();
    assertThat(recorder.hasUnwrittenCompletions()).isTrue();
    fault = all -> null;
    recorder.record(List.of());
    assertThat(stored).hasSize(3);
    assertNothingIsLeft();
  }

  @Test
  void aRetryWhoseMessageCannotBeStoredIsRenderedAgainAndKeepsItsAttempts() {
    Claim claim = claimed(State.PROCESSING);
    RecipientResult accepted = new RecipientResult("ada@example.com", Status.ACCEPTED, "250 ok");
    Completion retry =
        Completion.retry(
            claim,
            Duration.ofMinutes(5),
            FULL.recipients(List.of(accepted)),
            Bytes.utf8("the message"));
    bad.add(claim.id());

    recorder.record(List.of(retry));

    Completion recorded = recorded(claim);
    assertThat(recorded.to()).isEqualTo(State.ACCEPTED);
    assertThat(recorded.composed()).isNull();
    assertThat(recorded.dueIn()).isEqualTo(Duration.ofMinutes(5));
    assertThat(recorded.progress().attempts()).isEqualTo(1);
    assertThat(recorded.report().recipients())
        .containsExactly(new RecipientResult("ada@example.com", Status.ACCEPTED, null));
    assertNothingIsLeft();
  }

  @Test
  void aFailureKeepsItsCodeInTheReducedForm() {
    Claim claim = claimed(State.PROCESSING);
    bad.add(claim.id());

    recorder.record(
        List.of(Completion.failedAfterAttempt(claim, FailureCode.REFUSED, FULL, Bytes.utf8("m"))));

    assertThat(recorded(claim).to()).isEqualTo(State.FAILED);
    assertThat(recorded(claim).code()).isEqualTo(FailureCode.REFUSED);
    assertThat(recorded(claim).composed()).isNull();
  }

  @Test
  void aResultThatCannotBeAnnouncedIsRecordedAllTheSame() {
    Claim claim = claimed(State.CALLING_SENT_CALLBACK);
    recorder.onCallbackDue(
        () -> {
          throw new IllegalStateException("no announcement");
        });

    recorder.record(List.of(Completion.released(claim, Duration.ZERO, OutcomeDetails.NONE)));

    assertThat(stored).hasSize(1);
    assertNothingIsLeft();
  }

  @Test
  void anAnswerWithoutAResultForEachEmailIsAnOutageAndTheResultsAreKept() {
    List<Completion> batch = sent(2);
    incomplete = true;

    recorder.record(batch);

    assertThat(availability.isUnavailable()).isTrue();
    assertThat(inFlight.size()).isEqualTo(2);
    incomplete = false;
    stored.clear();
    recorder.flush();
    assertThat(inFlight.size()).isZero();
  }

  @Test
  void aLostResultLeavesTheNewerClaimOfTheSameEmailInFlight() {
    Claim old = claimed(State.PROCESSING);
    Claim newer = SampleClaims.of(old.id(), 2, State.PROCESSING);
    inFlight.add(List.of(newer));
    answer = CompletionResult.LOST;

    recorder.record(List.of(Completion.released(old, Duration.ZERO, OutcomeDetails.NONE)));

    assertThat(inFlight.knows(newer.id())).isTrue();
    answer = CompletionResult.APPLIED;
    recorder.record(List.of(Completion.released(newer, Duration.ZERO, OutcomeDetails.NONE)));
    assertThat(inFlight.size()).isZero();
  }

  private Completion recorded(Claim claim) {
    return Objects.requireNonNull(stored.get(claim.id()));
  }

  private void assertReduced(Completion full) {
    Completion recorded = Objects.requireNonNull(stored.get(full.id()));
    assertThat(recorded.to()).isEqualTo(State.SENT);
    assertThat(recorded.token()).isEqualTo(full.token());
    assertThat(recorded.report().reason()).isNull();
    assertThat(recorded.report().response()).isNull();
  }

  private void assertOthersAreStoredInFull(List<Completion> batch) {
    assertThat(batch.stream().filter(each -> !bad.contains(each.id())))
        .allSatisfy(each -> assertThat(stored.get(each.id())).isSameAs(each));
  }

  private void assertNothingIsLeft() {
    assertThat(recorder.hasUnwrittenCompletions()).isFalse();
    assertThat(availability.isUnavailable()).isFalse();
    assertThat(inFlight.size()).isZero();
  }

  private List<Completion> sent(int number) {
    return IntStream.range(0, number)
        .mapToObj(i -> Completion.sent(claimed(State.PROCESSING), FULL, false))
        .toList();
  }

  private Claim claimed(State busy) {
    Claim claim = SampleClaims.in(busy);
    inFlight.add(List.of(claim));
    return claim;
  }

  /** Rejects a batch with the full form of a bad email, as a column that is too short would. */
  private @Nullable RuntimeException rejection(List<Completion> batch) {
    return batch.stream()
            .anyMatch(each -> bad.contains(each.id()) && each.report().response() != null)
        ? new StoreException(Reason.REJECTED_DATA, "data too long", null)
        : null;
  }

  private List<CompletionResult> complete(List<Completion> batch) {
    calls++;
    RuntimeException thrown = fault.apply(batch);
    if (thrown != null) {
      throw thrown;
    }
    if (incomplete) {
      return List.of();
    }
    batch.forEach(
        each -> assertThat(stored.put(each.id(), each)).as("stored before").isIn(null, each));
    return batch.stream().map(each -> answer).toList();
  }

  @SuppressWarnings("unchecked")
  private OutboxStore store() {
    return (OutboxStore)
        Proxy.newProxyInstance(
            OutboxStore.class.getClassLoader(),
            new Class<?>[] {OutboxStore.class},
            (proxy, method, arguments) -> complete((List<Completion>) arguments[0]));
  }
}
