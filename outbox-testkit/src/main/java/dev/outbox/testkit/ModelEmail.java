package dev.outbox.testkit;

import dev.outbox.email.Bytes;
import dev.outbox.email.Counters;
import dev.outbox.email.FailureCode;
import dev.outbox.email.NodeId;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.State;
import dev.outbox.settings.UnknownOutcomePolicy;
import dev.outbox.store.ActionResult;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.NewEmail;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.PriorityLane;
import dev.outbox.store.ReapPolicy;
import dev.outbox.store.ReapedEmail;
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
  final ModelTime created;
  final List<ModelHistoryEntry> history = new ArrayList<>();
  State state = State.ACCEPTED;
  PriorityLane lane;
  Counters progress = Counters.NONE;
  @Nullable ModelTime preparing;
  @Nullable ModelTime prepared;
  @Nullable ModelTime sending;
  @Nullable ModelTime sent;
  @Nullable ModelTime settled;
  ModelTime updated;
  @Nullable ModelTime due;
  ModelTime deadline;
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

  ModelEmail(NewEmail request, ModelTime due, ModelTime now) {
    this.request = request;
    this.created = now;
    this.updated = now;
    this.due = due;
    this.deadline = due.plus(request.lifetime());
    this.lane = PriorityLane.of(request.priority());
    this.subject = request.addressesAndSubject().subject();
    this.payload = request.payload();
  }

  boolean isTold() {
    return request.callbackUrl() != null;
  }

  long length() {
    return (payload == null ? 0L : payload.length()) + (composed == null ? 0L : composed.length());
  }

  /** Gives it to a node; returns whether the token is a new one. */
  boolean claim(NodeId node, long token, ModelTime now) {
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
  boolean proceed(NodeId node, long token, ModelTime now) {
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

  CompletionResult complete(Completion done, ModelTime now) {
    boolean again =
        done.isDelivery()
            ? delivered != null && delivered == done.token()
            : completed != null && completed == done.token() && completedTo == done.to();
    if (again) {
      return CompletionResult.APPLIED;
    }
    boolean stands = !archived && standing != null && standing == done.token();
    boolean held = stands && done.node().equals(owner) && state == done.from();
    boolean late = stands && owner == null && done.isDelivery() && state.outcome() != State.SENT;
    if (held || late) {
      apply(done, late, now);
      return CompletionResult.APPLIED;
    }
    if (!done.isDelivery()) {
      return CompletionResult.LOST;
    }
    String said = erased ? null : done.report().response();
    note(state, now, progress, done.node(), null, OWN_WORDS, said);
    return CompletionResult.POSSIBLE_DUPLICATE;
  }

  private void apply(Completion done, boolean late, ModelTime now) {
    OutcomeDetails report = erased ? OutcomeDetails.NONE : done.report();
    String words = late ? OWN_WORDS : report.reason();
    Counters told = done.progress();
    // Who comes late knows nothing of the reaps meanwhile.
    int reaps = late ? progress.reaps() : told.reaps();
    progress = new Counters(told.generation(), told.attempts(), reaps, told.stageRetries());
    if (late || !done.isNormalStep()) {
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
    if (!done.from().hasOutcome()) {
      settled = done.to().hasOutcome() ? now : null;
      code = isSent ? null : done.code() != null ? done.code() : code;
      reason = isSent ? null : report.reason() != null ? report.reason() : reason;
      response = report.response() != null ? report.response() : response;
      recipients = report.recipients().isEmpty() ? recipients : report.recipients();
      subject = subject == null ? report.subject() : subject;
    }
    if (done.composed() != null) {
      composed = done.composed();
    }
    if (isSent && !done.retainsContent()) {
      empty();
    }
    completed = done.token();
    completedTo = done.to();
    archived = isSent && done.dueIn() == null;
    leave(done.to(), done.dueIn() == null ? null : now.plus(done.dueIn()), now);
  }

  ReapedEmail reap(NodeId dead, ReapPolicy policy, ModelTime now) {
    State from = state;
    Counters after = progress.reaped();
    boolean hopeless = after.reaps() >= policy.failAfter();
    boolean unknown =
        from == State.PROCESSING && policy.unknownOutcome() == UnknownOutcomePolicy.HOLD;
    State to = from == State.PROCESSING && composed != null ? State.READY : State.ACCEPTED;
    boolean waits = true;
    FailureCode why = null;
    if (from.hasOutcome()) {
      to = hopeless ? from : from.outcome();
      waits = !hopeless;
    } else if (unknown || hopeless) {
      to = State.FAILED;
      waits = isTold();
      why = unknown ? FailureCode.OUTCOME_UNKNOWN : FailureCode.WORKER_DIED;
      after = after.forNextStage();
    }
    note(to, now, after, dead, why, OWN_WORDS, null);
    if (why != null) {
      code = why;
      reason = OWN_WORDS;
      settled = now;
    }
    if (after.reaps() >= policy.isolateAfter()) {
      lane = PriorityLane.SUSPECT;
    }
    progress = after;
    archived = to.outcome() == State.SENT && !waits;
    leave(to, waits ? now : null, now);
    return new ReapedEmail(request.id(), from, to, after.reaps(), why);
  }

  ActionResult move(OperatorAction move, ModelTime now) {
    boolean done =
        switch (move) {
          case CANCEL -> cancel(OWN_WORDS, now) || code == FailureCode.CANCELLED;
          case REQUEUE -> requeue(now);
          case ERASE -> erase(now);
        };
    return new ActionResult(
        request.id(), done ? ActionResult.Status.DONE : ActionResult.Status.REFUSED, state);
  }

  private boolean cancel(@Nullable String words, ModelTime now) {
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

  private boolean requeue(ModelTime now) {
    boolean gone = state.outcome() == State.FAILED || state.outcome() == State.INVALID;
    if (!gone || payload == null) {
      return false;
    }
    State to = composed == null ? State.ACCEPTED : State.READY;
    progress = new Counters(progress.generation() + 1, 0, 0, 0);
    note(to, now, progress, null, null, OWN_WORDS, null);
    lane = PriorityLane.of(request.priority());
    code = null;
    reason = null;
    settled = null;
    standing = null;
    recipients = recipients.stream().map(RecipientResult::reopened).toList();
    deadline = now.plus(request.lifetime());
    leave(to, now, now);
    return true;
  }

  private boolean erase(ModelTime now) {
    if (erased) {
      return true;
    }
    if (state == State.PROCESSING) {
      return false;
    }
    history.replaceAll(ModelHistoryEntry::hushed);
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

  private void leave(State to, @Nullable ModelTime nextDue, ModelTime now) {
    state = to;
    owner = null;
    due = nextDue;
    updated = now;
  }

  private void note(
      State to,
      ModelTime now,
      Counters after,
      @Nullable NodeId node,
      @Nullable FailureCode why,
      @Nullable String words,
      @Nullable String detail) {
    history.add(
        new ModelHistoryEntry(
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
