package dev.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.email.Counters;
import dev.outbox.email.FailureCode;
import dev.outbox.email.State;
import dev.outbox.settings.UnknownOutcomePolicy;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ReapPolicyTest {

  private static final ReapPolicy RESEND = ReapPolicy.DEFAULT;
  private static final ReapPolicy HOLD = new ReapPolicy(2, 5, UnknownOutcomePolicy.HOLD);

  @Test
  void theDefaultSuspectsAfterTwoGivesUpAfterFiveAndResends() {
    assertThat(ReapPolicy.DEFAULT).isEqualTo(new ReapPolicy(2, 5, UnknownOutcomePolicy.RESEND));
  }

  @ParameterizedTest
  @CsvSource({
    // busy, composed, deaths before, resend: to, code; hold: to, code
    "INTAKING, false, 0, ACCEPTED, , ACCEPTED,",
    "INTAKING, true, 0, ACCEPTED, , ACCEPTED,",
    "INTAKING, false, 3, ACCEPTED, , ACCEPTED,",
    "INTAKING, false, 4, FAILED, WORKER_DIED, FAILED, WORKER_DIED",
    "INTAKING, true, 9, FAILED, WORKER_DIED, FAILED, WORKER_DIED",
    "PROCESSING, false, 0, ACCEPTED, , FAILED, OUTCOME_UNKNOWN",
    "PROCESSING, true, 0, READY, , FAILED, OUTCOME_UNKNOWN",
    "PROCESSING, true, 3, READY, , FAILED, OUTCOME_UNKNOWN",
    "PROCESSING, true, 4, FAILED, WORKER_DIED, FAILED, OUTCOME_UNKNOWN",
    "CALLING_SENT_CALLBACK, false, 0, SENT, , SENT,",
    "CALLING_FAILED_CALLBACK, false, 0, FAILED, , FAILED,",
    "CALLING_INVALID_CALLBACK, false, 0, INVALID, , INVALID,",
    "CALLING_SENT_CALLBACK, false, 4, CALLING_SENT_CALLBACK, , CALLING_SENT_CALLBACK,",
    "CALLING_FAILED_CALLBACK, true, 4, CALLING_FAILED_CALLBACK, , CALLING_FAILED_CALLBACK,",
    "CALLING_INVALID_CALLBACK, false, 4, CALLING_INVALID_CALLBACK, , CALLING_INVALID_CALLBACK,",
  })
  void anEmailOfADeadWorkerBecomesWhatTheTableSays(
      State busy,
      boolean composed,
      int deaths,
      State resent,
      @Nullable FailureCode resentCode,
      State held,
      @Nullable FailureCode heldCode) {
    Counters before = new Counters(1, 2, deaths, 3);

    ReapPolicy.Decision resend = RESEND.decide(busy, composed, PriorityLane.BULK, before, true);
    ReapPolicy.Decision hold = HOLD.decide(busy, composed, PriorityLane.BULK, before, true);

    assertThat(resend.to()).isEqualTo(resent);
    assertThat(resend.code()).isEqualTo(resentCode);
    assertThat(hold.to()).isEqualTo(held);
    assertThat(hold.code()).isEqualTo(heldCode);
    assertThat(resend.progress().reaps()).isEqualTo(hold.progress().reaps()).isEqualTo(deaths + 1);
    assertThat(resend.progress().attempts()).isEqualTo(hold.progress().attempts()).isEqualTo(2);
  }

  @Test
  void everyBusyStateIsInTheTableAbove() {
    Set<State> busy = Stream.of(State.values()).filter(State::isBusy).collect(Collectors.toSet());
    assertThat(busy)
        .isEqualTo(
            EnumSet.of(
                State.INTAKING,
                State.PROCESSING,
                State.CALLING_SENT_CALLBACK,
                State.CALLING_FAILED_CALLBACK,
                State.CALLING_INVALID_CALLBACK));
  }

  @ParameterizedTest
  @EnumSource
  void aVerdictIsAlwaysAStepThatTheTableOfStatesAllows(State busy) {
    if (!busy.isBusy()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> RESEND.decide(busy, true, PriorityLane.HIGH, Counters.NONE, true))
          .withMessageStartingWith("busy: ");
      return;
    }
    for (ReapPolicy policy : new ReapPolicy[] {RESEND, HOLD}) {
      for (boolean composed : new boolean[] {true, false}) {
        for (int deaths = 0; deaths < 7; deaths++) {
          ReapPolicy.Decision verdict =
              policy.decide(
                  busy, composed, PriorityLane.HIGH, new Counters(0, 0, deaths, 0), false);
          assertThat(busy.canBecome(verdict.to())).isTrue();
          assertThat(verdict.code() != null)
              .isEqualTo(verdict.to() == State.FAILED && !busy.hasOutcome());
        }
      }
    }
  }

  @Test
  void whoeverIsToldOfAFailureIsCalledForTheFirstTime() {
    Counters triedTwice = new Counters(0, 1, 4, 2);
    assertThat(RESEND.decide(State.INTAKING, false, PriorityLane.HIGH, triedTwice, true).progress())
        .isEqualTo(new Counters(0, 1, 5, 0));
    assertThat(HOLD.decide(State.PROCESSING, false, PriorityLane.HIGH, triedTwice, true).progress())
        .isEqualTo(new Counters(0, 1, 5, 0));
    // these go on with what they were at
    Counters alive = new Counters(0, 1, 0, 2);
    assertThat(RESEND.decide(State.INTAKING, false, PriorityLane.HIGH, alive, true).progress())
        .isEqualTo(new Counters(0, 1, 1, 2));
    assertThat(
            RESEND
                .decide(State.CALLING_SENT_CALLBACK, false, PriorityLane.HIGH, alive, true)
                .progress())
        .isEqualTo(new Counters(0, 1, 1, 2));
  }

  @Test
  void fromTheSecondDeathOnItIsClaimedAlone() {
    assertThat(laneAfter(1)).isEqualTo(PriorityLane.BULK);
    assertThat(laneAfter(2)).isEqualTo(PriorityLane.SUSPECT);
    assertThat(laneAfter(3)).isEqualTo(PriorityLane.SUSPECT);
  }

  @Test
  void aFailureIsDueOnlyIfAnybodyWantsToBeTold() {
    Counters last = new Counters(0, 0, 4, 0);
    assertThat(RESEND.decide(State.INTAKING, false, PriorityLane.HIGH, last, true).waits())
        .isTrue();
    assertThat(RESEND.decide(State.INTAKING, false, PriorityLane.HIGH, last, false).waits())
        .isFalse();
    assertThat(HOLD.decide(State.PROCESSING, true, PriorityLane.HIGH, Counters.NONE, true).waits())
        .isTrue();
    assertThat(HOLD.decide(State.PROCESSING, true, PriorityLane.HIGH, Counters.NONE, false).waits())
        .isFalse();
  }

  @Test
  void whatGoesBackIsDueAtOnce() {
    assertThat(
            RESEND.decide(State.PROCESSING, true, PriorityLane.HIGH, Counters.NONE, false).waits())
        .isTrue();
    assertThat(
            RESEND
                .decide(State.CALLING_SENT_CALLBACK, false, PriorityLane.HIGH, Counters.NONE, true)
                .waits())
        .isTrue();
  }

  @Test
  void aSentEmailWhoseCallbackKillsLeavesForTheLog() {
    ReapPolicy.Decision verdict =
        RESEND.decide(
            State.CALLING_SENT_CALLBACK, false, PriorityLane.HIGH, new Counters(0, 0, 4, 0), true);

    assertThat(verdict.waits()).isFalse();
    assertThat(verdict.archives()).isTrue();
    assertThat(
            RESEND
                .decide(
                    State.CALLING_FAILED_CALLBACK,
                    false,
                    PriorityLane.HIGH,
                    new Counters(0, 0, 4, 0),
                    true)
                .archives())
        .isFalse();
  }

  @Test
  void numbersThatWouldNeverSuspectBeforeGivingUpAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ReapPolicy(0, 5, UnknownOutcomePolicy.RESEND));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ReapPolicy(3, 2, UnknownOutcomePolicy.RESEND))
        .withMessageContainingAll("3", "2");
    assertThat(new ReapPolicy(1, 1, UnknownOutcomePolicy.HOLD)).isNotNull();
  }

  private static PriorityLane laneAfter(int deaths) {
    return RESEND
        .decide(State.INTAKING, false, PriorityLane.BULK, new Counters(0, 0, deaths - 1, 0), false)
        .lane();
  }
}
