package dev.outbox.store;

import dev.outbox.email.Counters;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.email.Timeline;
import dev.outbox.settings.RetentionSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All that a store keeps of one email in columns, and the one place that knows what an event makes
 * of them.
 *
 * <p>A store reads the row under its lock or remembers its token, asks the row, and writes the
 * {@link RecordChange} under the same fence. So stores differ in speed, and not in meaning.
 *
 * @param email what everybody may see
 * @param lane where it waits
 * @param key its idempotency key, or null
 * @param lifetime how long after it is due it may still leave
 * @param tokens what it remembers of its claims
 */
public record EmailRecord(
    EmailSummary email,
    PriorityLane lane,
    @Nullable IdempotencyKey key,
    Duration lifetime,
    ClaimTokens tokens) {

  /** Returns the row of an email that is stored now. */
  public static EmailRecord of(NewEmail email, Instant now) {
    Instant due = email.sendAt() == null ? now : email.sendAt();
    return new EmailRecord(
        new EmailSummary(
            email.id(),
            State.ACCEPTED,
            email.addressesAndSubject(),
            email.priority(),
            email.template(),
            email.tags(),
            email.requestId(),
            email.callbackUrl(),
            Counters.NONE,
            Timeline.startingAt(now),
            due,
            due.plus(email.lifetime()),
            null,
            null,
            null,
            null,
            null,
            List.of(),
            false),
        PriorityLane.of(email.priority()),
        email.key(),
        email.lifetime(),
        ClaimTokens.NONE);
  }

  /** Returns the email's id. */
  public EmailId id() {
    return email.id();
  }

  /** Returns the row after it was given to a node. */
  public EmailRecord claimed(ClaimRequest request, Instant now) {
    EmailRecordDraft next = new EmailRecordDraft(this, now);
    next.state = request.busy();
    next.owner = request.node();
    next.due = null;
    next.tokens = tokens.next();
    if (next.state == State.INTAKING) {
      next.preparing = now;
    } else if (next.state == State.PROCESSING) {
      next.sending = now;
    }
    return next.toRow();
  }

  /** Returns the claim of a row that was just claimed. */
  public Claim claim(@Nullable StoredContent content, Instant now) {
    return new Claim(
        tokens.current(), email.state(), email, content, Duration.between(now, email.deadline()));
  }

  /** Returns whether a claim still stands, before or after {@link OutboxStore#beginDelivery}. */
  public boolean isHeldUnder(Claim claim) {
    return tokens.current() == claim.token() && claim.node().equals(email.owner());
  }

  /** Returns the row after it went to the wire; the same if it had before. */
  public EmailRecord proceeded(Instant now) {
    if (email.state() != State.INTAKING) {
      return this;
    }
    EmailRecordDraft next = new EmailRecordDraft(this, now);
    next.state = State.PROCESSING;
    next.prepared = now;
    next.sending = now;
    return next.toRow();
  }

  /** Decides what a worker's result makes of it, as {@link OutboxStore#complete} says. */
  public Transition<CompletionResult> complete(Completion done, Instant now) {
    if (tokens.remember(done)) {
      return new Transition<>(CompletionResult.APPLIED, null);
    }
    if (!email.archived() && tokens.current() == done.token()) {
      boolean held = done.node().equals(email.owner()) && email.state() == done.from();
      boolean late =
          done.isDelivery() && email.owner() == null && email.state().outcome() != State.SENT;
      if (held || late) {
        return new Transition<>(CompletionResult.APPLIED, completed(done, late, now));
      }
    }
    if (!done.isDelivery()) {
      return new Transition<>(CompletionResult.LOST, null);
    }
    HistoryRecord note =
        step(
            email.state(),
            now,
            email.progress(),
            done.node(),
            null,
            "possible duplicate: accepted by the relay under a claim that was lost",
            email.erased() ? null : done.report().response());
    return new Transition<>(CompletionResult.POSSIBLE_DUPLICATE, RecordChange.noted(note));
  }

  private RecordChange completed(Completion done, boolean late, Instant now) {
    OutcomeDetails report = email.erased() ? OutcomeDetails.NONE : done.report();
    boolean sent = done.to().outcome() == State.SENT;
    EmailRecordDraft next = new EmailRecordDraft(this, now);
    if (email.state() == State.INTAKING && done.to() == State.READY) {
      next.prepared = now;
    }
    if (done.isDelivery()) {
      next.sent = now;
    }
    if (sent) {
      next.code = null;
    } else if (done.code() != null) {
      next.code = done.code();
    }
    if (!done.from().hasOutcome()) {
      next.learn(report, sent);
      next.settled = done.to().hasOutcome() ? now : null;
    }
    next.progress = late ? withReaps(done.progress()) : done.progress();
    next.tokens = tokens.after(done);
    next.state = done.to();
    next.owner = null;
    next.due = done.dueIn() == null ? null : now.plus(done.dueIn());
    next.archived = done.movesToLog();
    String words = late ? "accepted by the relay before its claim was reaped" : report.reason();
    List<HistoryRecord> history =
        late || !done.isNormalStep()
            ? List.of(
                step(
                    done.to(),
                    now,
                    next.progress,
                    done.node(),
                    done.code(),
                    words,
                    report.response()))
            : List.of();
    return new RecordChange(
        next.toRow(),
        history,
        done.composed(),
        done.movesToLog(),
        sent && !done.retainsContent(),
        false);
  }

  /** A late worker knows nothing of the reaps that came between. */
  private Counters withReaps(Counters known) {
    return new Counters(
        known.generation(), known.attempts(), email.progress().reaps(), known.stageRetries());
  }

  /**
   * Decides what the death of its worker makes of it.
   *
   * @param composed whether the composed message is stored
   */
  public Transition<ReapedEmail> reap(
      NodeId dead, ReapPolicy policy, boolean composed, Instant now) {
    State from = email.state();
    ReapPolicy.Decision verdict =
        policy.decide(from, composed, lane, email.progress(), email.callbackUrl() != null);
    String words = "its node died";
    EmailRecordDraft next = new EmailRecordDraft(this, now);
    next.state = verdict.to();
    next.lane = verdict.lane();
    next.progress = verdict.progress();
    next.owner = null;
    next.due = verdict.waits() ? now : null;
    next.archived = verdict.archives();
    if (verdict.code() != null) {
      next.code = verdict.code();
      next.reason = words;
      next.settled = now;
    }
    HistoryRecord history =
        step(verdict.to(), now, verdict.progress(), dead, verdict.code(), words, null);
    return new Transition<>(
        new ReapedEmail(id(), from, verdict.to(), verdict.progress().reaps(), verdict.code()),
        new RecordChange(next.toRow(), List.of(history), null, verdict.archives(), false, false));
  }

  /**
   * Decides what a move by hand makes of it.
   *
   * @param content whether the payload is stored
   * @param composed whether the composed message is stored
   */
  public Transition<ActionResult> move(
      OperatorAction move, boolean content, boolean composed, Instant now) {
    Optional<RecordChange> change =
        switch (move) {
          case CANCEL -> cancelled(now);
          case REQUEUE -> requeued(content, composed, now);
          case ERASE -> erased(content, now);
        };
    boolean done =
        change.isPresent()
            || (move == OperatorAction.CANCEL && email.code() == FailureCode.CANCELLED)
            || (move == OperatorAction.ERASE && email.erased());
    EmailRecord after = change.map(RecordChange::row).orElse(this);
    return new Transition<>(
        new ActionResult(
            id(),
            done ? ActionResult.Status.DONE : ActionResult.Status.REFUSED,
            after.email.state()),
        change.orElse(null));
  }

  private Optional<RecordChange> cancelled(Instant now) {
    if (email.archived() || !email.state().isCancellable()) {
      return Optional.empty();
    }
    String words = "cancelled";
    EmailRecordDraft next = new EmailRecordDraft(this, now);
    next.state = State.FAILED;
    next.code = FailureCode.CANCELLED;
    next.reason = words;
    next.settled = now;
    next.tokens = tokens.next();
    next.owner = null;
    next.due = email.callbackUrl() == null ? null : now;
    return Optional.of(
        RecordChange.of(
            next.toRow(),
            step(State.FAILED, now, email.progress(), null, FailureCode.CANCELLED, words, null)));
  }

  private Optional<RecordChange> requeued(boolean content, boolean composed, Instant now) {
    Optional<State> to = email.state().stateAfterRequeue(composed);
    if (email.archived() || to.isEmpty() || !content) {
      return Optional.empty();
    }
    EmailRecordDraft next = new EmailRecordDraft(this, now);
    next.state = to.get();
    next.lane = PriorityLane.of(email.priority());
    next.progress = email.progress().requeued();
    next.code = null;
    next.reason = null;
    next.settled = null;
    next.reopenRecipients();
    next.tokens = tokens.next();
    next.owner = null;
    next.due = now;
    next.deadline = now.plus(lifetime);
    return Optional.of(
        RecordChange.of(
            next.toRow(), step(to.get(), now, next.progress, null, null, "requeued", null)));
  }

  /** A row that somebody spoilt has no headline either; as long as it has content it is there. */
  private Optional<RecordChange> erased(boolean content, Instant now) {
    boolean gone = email.erased() && !content;
    if (gone || !(email.archived() || email.state().isErasable())) {
      return Optional.empty();
    }
    Optional<EmailRecord> cancelled = cancelled(now).map(RecordChange::row);
    EmailRecord before = cancelled.orElse(this);
    EmailRecordDraft next = new EmailRecordDraft(before, now);
    next.updated = before.email.timeline().updated();
    next.addressesAndSubject = null;
    next.reason = null;
    next.response = null;
    next.recipients = List.of();
    HistoryRecord erased =
        before.step(before.email.state(), now, before.email.progress(), null, null, "erased", null);
    List<HistoryRecord> history =
        cancelled.isPresent()
            ? List.of(
                step(State.FAILED, now, email.progress(), null, FailureCode.CANCELLED, null, null),
                erased)
            : List.of(erased);
    return Optional.of(new RecordChange(next.toRow(), history, null, false, true, true));
  }

  /** Returns whether it is kept no longer, while it is not in the log. */
  public boolean isOver(RetentionSettings retention, Instant now) {
    if (email.owner() != null || email.due() != null) {
      return false;
    }
    return switch (email.state().outcome()) {
      case FAILED -> isSettledBefore(now.minus(retention.failed()));
      case INVALID -> isSettledBefore(now.minus(retention.invalid()));
      default -> false;
    };
  }

  /** Returns whether it was settled at a time or earlier. */
  public boolean isSettledBefore(Instant time) {
    Instant settled = email.timeline().settled();
    return settled != null && !settled.isAfter(time);
  }

  /** Shows identity and state, nothing personal. */
  @Override
  public String toString() {
    return "EmailRow[%s, %s, token=%d]".formatted(id(), email.state().wireName(), tokens.current());
  }

  private HistoryRecord step(
      State to,
      Instant now,
      Counters after,
      @Nullable NodeId node,
      @Nullable FailureCode why,
      @Nullable String words,
      @Nullable String detail) {
    return new HistoryRecord(
        email.state(),
        to,
        now,
        email.timeline().preparing(),
        email.timeline().sending(),
        after.generation(),
        after.attempts(),
        node,
        why,
        words,
        detail);
  }
}
