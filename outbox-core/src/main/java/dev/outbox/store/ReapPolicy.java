package dev.outbox.store;

import dev.outbox.email.Counters;
import dev.outbox.email.FailureCode;
import dev.outbox.email.State;
import dev.outbox.settings.UnknownOutcomePolicy;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of an email whose worker died.
 *
 * @param isolateAfter from this many deaths on it is claimed alone
 * @param failAfter with this many deaths it is failed as {@code WORKER_DIED}
 * @param unknownOutcome what happens if it was on the wire
 */
public record ReapPolicy(int isolateAfter, int failAfter, UnknownOutcomePolicy unknownOutcome) {

  /** Suspect after 2 deaths, given up after 5, sent again if it was on the wire. */
  public static final ReapPolicy DEFAULT = new ReapPolicy(2, 5, UnknownOutcomePolicy.RESEND);

  /** Refuses numbers that would never suspect before giving up. */
  public ReapPolicy {
    if (isolateAfter < 1 || failAfter < isolateAfter) {
      throw new IllegalArgumentException(
          "isolateAfter %d, failAfter %d: want 1 or more, in this order"
              .formatted(isolateAfter, failAfter));
    }
  }

  /**
   * Decides for one email.
   *
   * @param busy the state in which it was held
   * @param composed whether its composed bytes are stored
   * @param lane the lane it is in
   * @param before its counters before this death
   * @param callback whether anybody wants to be told what becomes of it
   */
  public Decision decide(
      State busy, boolean composed, PriorityLane lane, Counters before, boolean callback) {
    State back =
        busy.stateAfterRelease(composed)
            .orElseThrow(() -> new IllegalArgumentException("busy: not a busy state: " + busy));
    Counters after = before.reaped();
    PriorityLane next = after.reaps() >= isolateAfter ? PriorityLane.SUSPECT : lane;
    boolean hopeless = after.reaps() >= failAfter;
    if (busy.hasOutcome()) {
      // The outcome stands whatever happens to the call; a call that kills is not made again.
      return hopeless
          ? new Decision(busy, false, next, after, null)
          : new Decision(back, true, next, after, null);
    }
    if (busy == State.PROCESSING && unknownOutcome == UnknownOutcomePolicy.HOLD) {
      return new Decision(
          State.FAILED, callback, next, after.forNextStage(), FailureCode.OUTCOME_UNKNOWN);
    }
    return hopeless
        ? new Decision(State.FAILED, callback, next, after.forNextStage(), FailureCode.WORKER_DIED)
        : new Decision(back, true, next, after, null);
  }

  /**
   * What becomes of one email.
   *
   * @param to its next state, with no owner
   * @param waits whether it is due at once; otherwise it waits for nobody
   * @param lane its lane from now on
   * @param progress its counters from now on
   * @param code why it failed; null if it did not
   */
  public record Decision(
      State to, boolean waits, PriorityLane lane, Counters progress, @Nullable FailureCode code) {

    /** Returns whether the email leaves for the log: it was sent, and nobody has to be told. */
    public boolean archives() {
      return to.outcome() == State.SENT && !waits;
    }
  }
}
