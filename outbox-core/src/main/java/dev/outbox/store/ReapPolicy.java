package dev.outbox.store;

import dev.outbox.email.FailureCode;
import dev.outbox.email.Progress;
import dev.outbox.email.State;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of an email whose worker died.
 *
 * @param suspectAfter from this many deaths on it is claimed alone
 * @param giveUpAfter with this many deaths it is failed as {@code WORKER_DIED}
 * @param unknownOutcome what happens if it was on the wire
 */
public record ReapPolicy(int suspectAfter, int giveUpAfter, UnknownOutcome unknownOutcome) {

  /** Suspect after 2 deaths, given up after 5, sent again if it was on the wire. */
  public static final ReapPolicy DEFAULT = new ReapPolicy(2, 5, UnknownOutcome.RESEND);

  /** Refuses numbers that would never suspect before giving up. */
  public ReapPolicy {
    if (suspectAfter < 1 || giveUpAfter < suspectAfter) {
      throw new IllegalArgumentException(
          "suspectAfter %d, giveUpAfter %d: want 1 or more, in this order"
              .formatted(suspectAfter, giveUpAfter));
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
  public Verdict decide(
      State busy, boolean composed, Lane lane, Progress before, boolean callback) {
    State back =
        busy.revertsTo(composed)
            .orElseThrow(() -> new IllegalArgumentException("busy: not a busy state: " + busy));
    Progress after = before.reaped();
    Lane next = after.reaps() >= suspectAfter ? Lane.SUSPECT : lane;
    boolean hopeless = after.reaps() >= giveUpAfter;
    if (busy.isSettled()) {
      // The outcome stands whatever happens to the call; a call that kills is not made again.
      return hopeless
          ? new Verdict(busy, false, next, after, null)
          : new Verdict(back, true, next, after, null);
    }
    if (busy == State.PROCESSING && unknownOutcome == UnknownOutcome.HOLD) {
      return new Verdict(State.FAILED, callback, next, after.staged(), FailureCode.OUTCOME_UNKNOWN);
    }
    return hopeless
        ? new Verdict(State.FAILED, callback, next, after.staged(), FailureCode.WORKER_DIED)
        : new Verdict(back, true, next, after, null);
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
  public record Verdict(
      State to, boolean waits, Lane lane, Progress progress, @Nullable FailureCode code) {

    /** Returns whether the email leaves for the log: it was sent, and nobody has to be told. */
    public boolean archives() {
      return to.outcome() == State.SENT && !waits;
    }
  }
}
