package dev.outbox.testkit;

import dev.outbox.email.Bytes;
import dev.outbox.email.FailureCode;
import dev.outbox.email.NodeId;
import dev.outbox.email.Progress;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.State;
import dev.outbox.store.Completed;
import dev.outbox.store.Completion;
import dev.outbox.store.Lane;
import dev.outbox.store.ManualMove;
import dev.outbox.store.Moved;
import dev.outbox.store.NewEmail;
import dev.outbox.store.ReapPolicy;
import dev.outbox.store.Reaped;
import dev.outbox.store.Report;
import dev.outbox.store.UnknownOutcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One email as it should be, and the rules once more in their plainest form. It shares the table of
 * states with the stores and nothing else, so that a rule that is wrong there is found here.
 */
final class ModelEmail {

  /** Stands for words that are the store's to choose. */
  static final String OWN_WORDS = "(the store's own words)";

  final NewEmail request;
  final Moment created;
  final List<ModelStep> history = new ArrayList<>();
  State state = State.ACCEPTED;
  Lane lane;
  Progress progress = Progress.NONE;
  @Nullable Moment preparing;
  @Nullable Moment prepared;
  @Nullable Moment sending;
  @Nullable Moment sent;
  @Nullable Moment settled;
  Moment updated;
  @Nullable Moment due;
  Moment deadline;
  @Nullable NodeId owner;
  @Nullable NodeId worker;
  @Nullable FailureCode code;
  @Nullable String subject;
  @Nullable String reason;
  @Nullable String response;
  List<RecipientResult> recipients = List.of();
  boolean erased;
  boolean archived;
  @Nullable Bytes payload;
  @Nullable Bytes composed;

  /** The token of the last claim; null once it was cancelled or requeued. */
  @Nullable Long standing;

  private final Set<Long> tokens = new HashSet<>();
  private @Nullable Long completed;
  private @Nullable State completedTo;
  private @Nullable Long delivered;

  ModelEmail(NewEmail request, Moment due, Moment now) {
    this.request = request;
    this.created = now;
    this.updated = now;
    this.due = due;
    this.deadline = due.plus(request.lifetime());
    this.lane = Lane.of(request.priority());
    this.subject = request.headline().subject();
    this.payload = request.payload();
  }

  boolean isTold() {
    return request.callbackUrl() != null;
  }

  long length() {
    return (payload == null ? 0L : payload.length()) + (composed == null ? 0L : composed.length());
  }

  /** Gives it to a node; returns whether the token is a new one. */
  boolean claim(NodeId node, long token, Moment now) {
    state = state.claimedAs().orElseThrow();
    owner = node;
    due = null;
    standing = token;
    updated = now;
    if (state == State.INTAKING) {
      preparing = now;
      worker = node;
    } else if (state == State.PROCESSING) {
      sending = now;
      worker = node;
    }
    return tokens.add(token);
  }

  /** Returns whether a claim for intake still stands. */
  boolean proceed(NodeId node, long token, Moment now) {
    if (!node.equals(owner) || standing == null || standing != token) {
      return false;
    }
    if (state == State.INTAKING) {
      state = State.PROCESSING;
      prepared = now;
      sending = now;
      updated = now;
    }
    return true;
  }

  Completed complete(Completion done, Moment now) {
    boolean again =
        done.isDelivery()
            ? delivered != null && delivered == done.token()
            : completed != null && completed == done.token() && completedTo == done.to();
    if (again) {
      return Completed.APPLIED;
    }
    boolean stands = !archived && standing != null && standing == done.token();
    boolean held = stands && done.node().equals(owner) && state == done.from();
    boolean late = stands && owner == null && done.isDelivery() && state.outcome() != State.SENT;
    if (held || late) {
      apply(done, late, now);
      return Completed.APPLIED;
    }
    if (!done.isDelivery()) {
      return Completed.LOST;
    }
    String said = erased ? null : done.report().response();
    note(state, now, progress, done.node(), null, OWN_WORDS, said);
    return Completed.POSSIBLE_DUPLICATE;
  }

  private void apply(Completion done, boolean late, Moment now) {
    Report report = erased ? Report.NONE : done.report();
    String words = late ? OWN_WORDS : report.reason();
    Progress told = done.progress();
    // Who comes late knows nothing of the reaps meanwhile.
    int reaps = late ? progress.reaps() : told.reaps();
    progress = new Progress(told.generation(), told.attempts(), reaps, told.tries());
    if (late || !done.isOrdinary()) {
      note(done.to(), now, progress, done.node(), done.code(), words, report.response());
    }
    if (state == State.INTAKING && done.to() == State.READY) {
      prepared = now;
    }
    if (done.isDelivery()) {
      sent = now;
      delivered = done.token();
    }
    boolean isSent = done.to().outcome() == State.SENT;
    if (!done.from().isSettled()) {
      settled = done.to().isSettled() ? now : null;
      code = isSent ? null : done.code() != null ? done.code() : code;
      reason = isSent ? null : report.reason() != null ? report.reason() : reason;
      response = report.response() != null ? report.response() : response;
      recipients = report.recipients().isEmpty() ? recipients : report.recipients();
      subject = subject == null ? report.subject() : subject;
    }
    if (done.composed() != null) {
      composed = done.composed();
    }
    if (isSent && !done.keepsContent()) {
      empty();
    }
    completed = done.token();
    completedTo = done.to();
    archived = isSent && done.dueIn() == null;
    leave(done.to(), done.dueIn() == null ? null : now.plus(done.dueIn()), now);
  }

  Reaped reap(NodeId dead, ReapPolicy policy, Moment now) {
    State from = state;
    Progress after = progress.reaped();
    boolean hopeless = after.reaps() >= policy.giveUpAfter();
    boolean unknown = from == State.PROCESSING && policy.unknownOutcome() == UnknownOutcome.HOLD;
    State to = from == State.PROCESSING && composed != null ? State.READY : State.ACCEPTED;
    boolean waits = true;
    FailureCode why = null;
    if (from.isSettled()) {
      to = hopeless ? from : from.outcome();
      waits = !hopeless;
    } else if (unknown || hopeless) {
      to = State.FAILED;
      waits = isTold();
      why = unknown ? FailureCode.OUTCOME_UNKNOWN : FailureCode.WORKER_DIED;
      after = after.staged();
    }
    note(to, now, after, dead, why, OWN_WORDS, null);
    if (why != null) {
      code = why;
      reason = OWN_WORDS;
      settled = now;
    }
    if (after.reaps() >= policy.suspectAfter()) {
      lane = Lane.SUSPECT;
    }
    progress = after;
    archived = to.outcome() == State.SENT && !waits;
    leave(to, waits ? now : null, now);
    return new Reaped(request.id(), from, to, after.reaps(), why);
  }

  Moved move(ManualMove move, Moment now) {
    boolean done =
        switch (move) {
          case CANCEL -> cancel(OWN_WORDS, now) || code == FailureCode.CANCELLED;
          case REQUEUE -> requeue(now);
          case ERASE -> erase(now);
        };
    return new Moved(request.id(), done ? Moved.Status.DONE : Moved.Status.REFUSED, state);
  }

  private boolean cancel(@Nullable String words, Moment now) {
    boolean open = state == State.ACCEPTED || state == State.INTAKING || state == State.READY;
    if (!open) {
      return false;
    }
    note(State.FAILED, now, progress, null, FailureCode.CANCELLED, words, null);
    code = FailureCode.CANCELLED;
    reason = words;
    settled = now;
    standing = null;
    leave(State.FAILED, isTold() ? now : null, now);
    return true;
  }

  private boolean requeue(Moment now) {
    boolean gone = state.outcome() == State.FAILED || state.outcome() == State.INVALID;
    if (!gone || payload == null) {
      return false;
    }
    State to = composed == null ? State.ACCEPTED : State.READY;
    progress = new Progress(progress.generation() + 1, 0, 0, 0);
    note(to, now, progress, null, null, OWN_WORDS, null);
    lane = Lane.of(request.priority());
    code = null;
    reason = null;
    settled = null;
    standing = null;
    recipients = recipients.stream().map(RecipientResult::reopened).toList();
    deadline = now.plus(request.lifetime());
    leave(to, now, now);
    return true;
  }

  private boolean erase(Moment now) {
    if (erased) {
      return true;
    }
    if (state == State.PROCESSING) {
      return false;
    }
    history.replaceAll(ModelStep::hushed);
    if (!archived) {
      cancel(null, now);
    }
    note(state, now, progress, null, null, OWN_WORDS, null);
    erased = true;
    reason = null;
    response = null;
    recipients = List.of();
    empty();
    return true;
  }

  void empty() {
    payload = null;
    composed = null;
  }

  private void leave(State to, @Nullable Moment nextDue, Moment now) {
    state = to;
    owner = null;
    due = nextDue;
    updated = now;
  }

  private void note(
      State to,
      Moment now,
      Progress after,
      @Nullable NodeId node,
      @Nullable FailureCode why,
      @Nullable String words,
      @Nullable String detail) {
    history.add(
        new ModelStep(
            state,
            to,
            now,
            preparing,
            sending,
            after.generation(),
            after.attempts(),
            node,
            why,
            words,
            detail));
  }
}
