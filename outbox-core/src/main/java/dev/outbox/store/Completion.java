package dev.outbox.store;

import dev.outbox.email.Bytes;
import dev.outbox.email.Counters;
import dev.outbox.email.EmailId;
import dev.outbox.email.FailureCode;
import dev.outbox.email.NodeId;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.State;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a worker made of an email it had claimed, in the one shape that every store writes.
 *
 * @param id the email
 * @param token what proves the claim
 * @param node who held it
 * @param from the busy state it was held in
 * @param to the state it is in from now on, with no owner
 * @param dueIn when it may be claimed from there; null if it waits for nobody
 * @param progress the counters from now on
 * @param code why it failed; null leaves what is stored
 * @param report what was said and learned
 * @param composed the message to be stored for the next try; null leaves what is stored
 * @param retainsContent whether a sent email keeps its content for as long as retention allows
 */
public record Completion(
    EmailId id,
    long token,
    NodeId node,
    State from,
    State to,
    @Nullable Duration dueIn,
    Counters progress,
    @Nullable FailureCode code,
    OutcomeDetails report,
    @Nullable Bytes composed,
    boolean retainsContent) {

  /** Refuses what the table of states does not allow. */
  public Completion {
    if (!from.isBusy() || !from.canBecome(to)) {
      throw new IllegalArgumentException("to: no way from " + from + " to " + to);
    }
    if (from.hasOutcome() && to.outcome() != from.outcome()) {
      throw new IllegalArgumentException(
          "to: a call to the host never makes " + to + " of " + from);
    }
    boolean fails = to == State.FAILED && !from.hasOutcome();
    if (fails != (code != null)) {
      throw new IllegalArgumentException("code: must be given on failing, and only then");
    }
    if (dueIn != null && dueIn.isNegative()) {
      throw new IllegalArgumentException("dueIn: below zero: " + dueIn);
    }
    if (dueIn == null && !to.hasOutcome()) {
      throw new IllegalArgumentException("dueIn: missing, and nobody would ever claim it");
    }
    if (dueIn != null && to.claimedAs().isEmpty()) {
      throw new IllegalArgumentException("dueIn: given, and nothing is claimed from " + to);
    }
  }

  /** The relay took the email for every recipient. */
  public static Completion sent(Claim claim, OutcomeDetails report, boolean keepsContent) {
    return settled(claim, State.SENT, null, report, null, keepsContent);
  }

  /**
   * The email is rendered and has to wait for its turn.
   *
   * @param composed the composed message; null if it is stored already
   */
  public static Completion postponed(
      Claim claim, Duration dueIn, OutcomeDetails report, @Nullable Bytes composed) {
    return new Completion(
        claim.id(),
        claim.token(),
        claim.node(),
        claim.state(),
        State.READY,
        dueIn,
        claim.email().progress().forNextStage(),
        null,
        report,
        composed,
        false);
  }

  /**
   * A delivery that used up an attempt is to be repeated with the same bytes.
   *
   * @param composed null if they are stored already
   */
  public static Completion retry(
      Claim claim, Duration dueIn, OutcomeDetails report, @Nullable Bytes composed) {
    return new Completion(
        claim.id(),
        claim.token(),
        claim.node(),
        claim.state(),
        State.READY,
        dueIn,
        claim.email().progress().attempted(),
        null,
        report,
        composed,
        false);
  }

  /**
   * The claim is given back without an attempt used up: the node closes, or the relay wants us to
   * slow down.
   */
  public static Completion released(Claim claim, Duration dueIn, OutcomeDetails report) {
    return givenBack(claim, dueIn, claim.email().progress(), report);
  }

  /**
   * The claim is given back because another node may know what this one does not; no attempt is
   * used up, but the try is counted.
   */
  public static Completion deferredToOtherNode(Claim claim, Duration dueIn, OutcomeDetails report) {
    return givenBack(claim, dueIn, claim.email().progress().tried(), report);
  }

  private static Completion givenBack(
      Claim claim, Duration dueIn, Counters progress, OutcomeDetails report) {
    return new Completion(
        claim.id(),
        claim.token(),
        claim.node(),
        claim.state(),
        claim.state().stateAfterRelease(claim.composed()).orElseThrow(),
        dueIn,
        progress,
        null,
        report,
        null,
        true);
  }

  /**
   * The email is given up without another delivery.
   *
   * @param composed the message, so that a requeue can send the same; null leaves what is stored
   */
  public static Completion failed(
      Claim claim, FailureCode code, OutcomeDetails report, @Nullable Bytes composed) {
    return settled(claim, State.FAILED, code, report, composed, true);
  }

  /**
   * A delivery that used up an attempt was the last: the email is given up.
   *
   * @param composed the message, so that a requeue can send the same; null leaves what is stored
   */
  public static Completion failedAfterAttempt(
      Claim claim, FailureCode code, OutcomeDetails report, @Nullable Bytes composed) {
    Completion failed = failed(claim, code, report, composed);
    return new Completion(
        failed.id,
        failed.token,
        failed.node,
        failed.from,
        failed.to,
        failed.dueIn,
        failed.progress.attempted(),
        failed.code,
        failed.report,
        failed.composed,
        failed.retainsContent);
  }

  /** The email cannot be rendered or read. */
  public static Completion invalid(Claim claim, OutcomeDetails report) {
    return settled(claim, State.INVALID, null, report, null, true);
  }

  /** The host was told. */
  public static Completion callbackAcknowledged(
      Claim claim, OutcomeDetails report, boolean keepsContent) {
    State to = claim.state().acknowledgedAs().orElseThrow();
    return called(claim, to, null, report, keepsContent);
  }

  /** The host could not be told, and is to be told later. */
  public static Completion callbackRetry(Claim claim, Duration dueIn, OutcomeDetails report) {
    return called(claim, claim.state(), dueIn, report, true);
  }

  /** The host could not be told, and nobody will try again until an operator asks for it. */
  public static Completion callbackAbandoned(
      Claim claim, OutcomeDetails report, boolean keepsContent) {
    return called(claim, claim.state(), null, report, keepsContent);
  }

  /**
   * Returns the form of this completion that fits into every store: the real state, failure code,
   * counters and due time, and the status of each recipient, but no text and no composed message.
   *
   * <p>An email that was to wait as {@link State#READY} with a composed message that is not stored
   * yet goes to {@link State#ACCEPTED} instead: it is rendered again when it is due. Its attempts
   * and the recipients that a relay accepted are kept, so that no recipient gets it twice.
   */
  public Completion reduced() {
    boolean unstored = to == State.READY && composed != null;
    return new Completion(
        id,
        token,
        node,
        from,
        unstored ? State.ACCEPTED : to,
        dueIn,
        progress,
        code,
        new OutcomeDetails(null, null, null, withoutReplies(report.recipients())),
        null,
        retainsContent);
  }

  private static List<RecipientResult> withoutReplies(List<RecipientResult> results) {
    return results.stream()
        .map(each -> new RecipientResult(each.recipient(), each.status(), null))
        .toList();
  }

  /** Returns whether the relay has taken the email; a callback given back leads to SENT as well. */
  public boolean isDelivery() {
    return from == State.PROCESSING && to == State.SENT;
  }

  /**
   * Returns whether this is a step of the normal way, whose time is a column, and not a row of
   * history.
   */
  public boolean isNormalStep() {
    return isDelivery() || (from == State.INTAKING && to == State.READY);
  }

  /** Returns whether the email leaves for the log: it was sent, and nobody has to be told. */
  public boolean movesToLog() {
    return to.outcome() == State.SENT && dueIn == null;
  }

  private static Completion settled(
      Claim claim,
      State to,
      @Nullable FailureCode code,
      OutcomeDetails report,
      @Nullable Bytes composed,
      boolean keepsContent) {
    boolean tells = claim.email().callbackUrl() != null;
    return new Completion(
        claim.id(),
        claim.token(),
        claim.node(),
        claim.state(),
        to,
        tells ? Duration.ZERO : null,
        claim.email().progress().forNextStage(),
        code,
        report,
        composed,
        keepsContent);
  }

  private static Completion called(
      Claim claim,
      State to,
      @Nullable Duration dueIn,
      OutcomeDetails report,
      boolean keepsContent) {
    return new Completion(
        claim.id(),
        claim.token(),
        claim.node(),
        claim.state(),
        to,
        dueIn,
        claim.email().progress().tried(),
        null,
        report,
        null,
        keepsContent);
  }
}
