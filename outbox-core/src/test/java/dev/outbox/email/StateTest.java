package dev.outbox.email;

import static dev.outbox.email.State.ACCEPTED;
import static dev.outbox.email.State.CALLING_FAILED_CALLBACK;
import static dev.outbox.email.State.CALLING_INVALID_CALLBACK;
import static dev.outbox.email.State.CALLING_SENT_CALLBACK;
import static dev.outbox.email.State.FAILED;
import static dev.outbox.email.State.FAILED_ACKNOWLEDGED;
import static dev.outbox.email.State.INTAKING;
import static dev.outbox.email.State.INVALID;
import static dev.outbox.email.State.INVALID_ACKNOWLEDGED;
import static dev.outbox.email.State.PROCESSING;
import static dev.outbox.email.State.READY;
import static dev.outbox.email.State.SENT;
import static dev.outbox.email.State.SENT_ACKNOWLEDGED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class StateTest {

  @Test
  void theNamesOnTheWireAreThoseOfTheDesign() {
    assertThat(Stream.of(State.values()).map(State::wireName))
        .containsExactlyInAnyOrder(
            "ACCEPTED",
            "INTAKING",
            "READY",
            "PROCESSING",
            "SENT",
            "FAILED",
            "INVALID",
            "CALLING-SENT-CALLBACK",
            "CALLING-FAILED-CALLBACK",
            "CALLING-INVALID-CALLBACK",
            "SENT-ACKNOWLEDGED",
            "FAILED-ACKNOWLEDGED",
            "INVALID-ACKNOWLEDGED");
  }

  @ParameterizedTest
  @EnumSource
  void aStateIsFoundByItsWireName(State state) {
    assertThat(State.ofWireName(state.wireName())).contains(state);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "accepted", "SENT_ACKNOWLEDGED", "SNOOZED", " SENT"})
  void aNameThatOnlyANewerReleaseKnowsIsNoState(String name) {
    assertThat(State.ofWireName(name)).isEmpty();
  }

  @Test
  void aWaitingEmailIsClaimedAsTheDesignSays() {
    assertThat(table(State::claimedAs))
        .isEqualTo(
            Map.of(
                ACCEPTED, INTAKING,
                READY, PROCESSING,
                SENT, CALLING_SENT_CALLBACK,
                FAILED, CALLING_FAILED_CALLBACK,
                INVALID, CALLING_INVALID_CALLBACK,
                CALLING_SENT_CALLBACK, CALLING_SENT_CALLBACK,
                CALLING_FAILED_CALLBACK, CALLING_FAILED_CALLBACK,
                CALLING_INVALID_CALLBACK, CALLING_INVALID_CALLBACK));
  }

  @Test
  void aClaimExpiresToTheStateBefore() {
    Map<State, State> composed = new EnumMap<>(State.class);
    composed.put(INTAKING, ACCEPTED);
    composed.put(PROCESSING, READY);
    composed.put(CALLING_SENT_CALLBACK, SENT);
    composed.put(CALLING_FAILED_CALLBACK, FAILED);
    composed.put(CALLING_INVALID_CALLBACK, INVALID);
    assertThat(table(state -> state.stateAfterRelease(true))).isEqualTo(composed);

    composed.put(PROCESSING, ACCEPTED);
    assertThat(table(state -> state.stateAfterRelease(false))).isEqualTo(composed);

    assertThat(all(State::isBusy)).isEqualTo(composed.keySet());
  }

  @Test
  void theHostIsToldOfEachOutcomeInAStateOfItsOwn() {
    assertThat(table(State::acknowledgedAs))
        .isEqualTo(
            Map.of(
                CALLING_SENT_CALLBACK, SENT_ACKNOWLEDGED,
                CALLING_FAILED_CALLBACK, FAILED_ACKNOWLEDGED,
                CALLING_INVALID_CALLBACK, INVALID_ACKNOWLEDGED));
  }

  @Test
  void cancellingWorksUntilTheEmailIsOnTheWire() {
    assertThat(all(State::isCancellable)).isEqualTo(EnumSet.of(ACCEPTED, INTAKING, READY));
  }

  @Test
  void whatFailedOrWasInvalidCanBeRequeuedToldOrNot() {
    Set<State> requeueable =
        EnumSet.of(
            FAILED,
            CALLING_FAILED_CALLBACK,
            FAILED_ACKNOWLEDGED,
            INVALID,
            CALLING_INVALID_CALLBACK,
            INVALID_ACKNOWLEDGED);
    assertThat(all(state -> state.stateAfterRequeue(true).equals(Optional.of(READY))))
        .isEqualTo(requeueable);
    assertThat(all(state -> state.stateAfterRequeue(false).equals(Optional.of(ACCEPTED))))
        .isEqualTo(requeueable);
    assertThat(
            all(
                state ->
                    state.stateAfterRequeue(true).isEmpty()
                        && state.stateAfterRequeue(false).isEmpty()))
        .isEqualTo(EnumSet.complementOf(EnumSet.copyOf(requeueable)));
  }

  @Test
  void onlyAnEmailOnTheWireCannotBeErased() {
    assertThat(all(State::isErasable)).isEqualTo(EnumSet.complementOf(EnumSet.of(PROCESSING)));
  }

  @Test
  void anOutcomeIsSentFailedOrInvalidAndStaysWhatItIsWhileTheHostIsTold() {
    assertThat(all(state -> state.outcome() == SENT))
        .isEqualTo(EnumSet.of(SENT, CALLING_SENT_CALLBACK, SENT_ACKNOWLEDGED));
    assertThat(all(state -> state.outcome() == FAILED))
        .isEqualTo(EnumSet.of(FAILED, CALLING_FAILED_CALLBACK, FAILED_ACKNOWLEDGED));
    assertThat(all(state -> state.outcome() == INVALID))
        .isEqualTo(EnumSet.of(INVALID, CALLING_INVALID_CALLBACK, INVALID_ACKNOWLEDGED));
    assertThat(all(state -> !state.hasOutcome()))
        .isEqualTo(EnumSet.of(ACCEPTED, INTAKING, READY, PROCESSING))
        .allSatisfy(state -> assertThat(state.outcome()).isEqualTo(state));
  }

  @Test
  void everyStateCanBeReachedFromAccepted() {
    Set<State> reached = EnumSet.of(ACCEPTED);
    while (reached.addAll(
        reached.stream().flatMap(state -> state.successors().stream()).toList())) {
      assertThat(reached).hasSizeLessThanOrEqualTo(State.values().length);
    }

    assertThat(reached).isEqualTo(EnumSet.allOf(State.class));
  }

  @ParameterizedTest
  @EnumSource
  void whateverElseTheTableSaysIsAmongWhatAStateMayBecome(State state) {
    Stream.of(
            state.claimedAs(),
            state.stateAfterRelease(true),
            state.stateAfterRelease(false),
            state.acknowledgedAs(),
            state.stateAfterRequeue(true),
            state.stateAfterRequeue(false),
            state.isCancellable() ? Optional.of(FAILED) : Optional.<State>empty())
        .flatMap(Optional::stream)
        .forEach(next -> assertThat(state.canBecome(next)).as("%s to %s", state, next).isTrue());
  }

  @ParameterizedTest
  @EnumSource
  void mayBecomeAndSuccessorsSayTheSame(State state) {
    assertThat(all(state::canBecome)).isEqualTo(state.successors());
  }

  @ParameterizedTest
  @EnumSource
  void nobodyCanChangeTheTable(State state) {
    Set<State> before = EnumSet.copyOf(state.successors().isEmpty() ? none() : state.successors());

    state.successors().addAll(EnumSet.allOf(State.class));

    assertThat(state.successors()).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource(names = {"SENT", "CALLING_SENT_CALLBACK", "SENT_ACKNOWLEDGED"})
  void whatWasSentStaysSent(State state) {
    assertThat(state.successors()).allMatch(next -> next.outcome() == SENT);
  }

  @Test
  void theEndOfASentEmailIsTheEnd() {
    assertThat(SENT_ACKNOWLEDGED.successors()).isEmpty();
  }

  @Test
  void anEmailIsSentFromTheWireOrByALateReportUnderAStandingToken() {
    // claiming changes the token: no late report can reach an email that somebody holds
    assertThat(before(SENT))
        .isEqualTo(EnumSet.of(PROCESSING, ACCEPTED, READY, FAILED, CALLING_SENT_CALLBACK));
  }

  @Test
  void onlyWhatWasRenderedGoesToTheWire() {
    assertThat(before(PROCESSING)).isEqualTo(EnumSet.of(INTAKING, READY));
  }

  @Test
  void anEmailIsFoundInvalidOnlyWhileSomebodyWorksOnIt() {
    assertThat(before(INVALID))
        .isEqualTo(EnumSet.of(INTAKING, PROCESSING, CALLING_INVALID_CALLBACK));
  }

  @Test
  void anOutcomeOtherThanFailedIsNeverMadeAFailure() {
    assertThat(before(FAILED))
        .isEqualTo(EnumSet.of(ACCEPTED, INTAKING, READY, PROCESSING, CALLING_FAILED_CALLBACK));
  }

  @Test
  void theHostIsToldOfTheOutcomeThatWasReached() {
    for (State state : State.values()) {
      state
          .acknowledgedAs()
          .ifPresent(told -> assertThat(told.outcome()).isEqualTo(state.outcome()));
      if (state.hasOutcome()) {
        state.claimedAs().ifPresent(busy -> assertThat(busy.outcome()).isEqualTo(state.outcome()));
      }
    }
    assertThat(before(SENT_ACKNOWLEDGED)).isEqualTo(EnumSet.of(CALLING_SENT_CALLBACK));
    assertThat(before(FAILED_ACKNOWLEDGED)).isEqualTo(EnumSet.of(CALLING_FAILED_CALLBACK));
    assertThat(before(INVALID_ACKNOWLEDGED)).isEqualTo(EnumSet.of(CALLING_INVALID_CALLBACK));
  }

  private static Set<State> none() {
    return EnumSet.noneOf(State.class);
  }

  private static Set<State> before(State next) {
    return all(state -> state.canBecome(next));
  }

  private static Set<State> all(Predicate<State> condition) {
    return Stream.of(State.values())
        .filter(condition)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(State.class)));
  }

  private static Map<State, State> table(Function<State, Optional<State>> column) {
    Map<State, State> table = new EnumMap<>(State.class);
    for (State state : State.values()) {
      column.apply(state).ifPresent(next -> table.put(state, next));
    }
    return table;
  }
}
