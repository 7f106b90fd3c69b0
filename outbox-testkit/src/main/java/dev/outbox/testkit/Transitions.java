package dev.outbox.testkit;

import dev.outbox.email.EmailId;
import dev.outbox.email.FailureCode;
import dev.outbox.email.NodeId;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.Completed;
import dev.outbox.store.Completion;
import dev.outbox.store.Lane;
import dev.outbox.store.ManualMove;
import dev.outbox.store.Moved;
import dev.outbox.store.ReapPolicy;
import dev.outbox.store.Reaped;
import dev.outbox.store.Report;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The changes of state that the store in memory makes, each under its lock. */
final class Transitions {

  private final Tables tables;

  Transitions(Tables tables) {
    this.tables = tables;
  }

  /** Returns whether the claim stood; a repeated call finds that it has proceeded before. */
  boolean proceed(Claim claim, Instant now) {
    Optional<Row> held =
        tables
            .email(claim.id())
            .filter(row -> row.token == claim.token() && claim.node().equals(row.owner));
    held.filter(row -> row.state == State.INTAKING)
        .ifPresent(
            row -> {
              row.state = State.PROCESSING;
              row.prepared = now;
              row.sending = now;
              row.updated = now;
              tables.save(row);
            });
    return held.isPresent();
  }

  Completed complete(Completion done, Instant now) {
    Optional<Row> hot = tables.email(done.id());
    Optional<Row> any = hot.or(() -> tables.logged(done.id()));
    if (any.isEmpty()) {
      return Completed.LOST;
    }
    Row row = any.get();
    if (wasApplied(row, done)) {
      return Completed.APPLIED;
    }
    if (hot.isPresent() && row.token == done.token()) {
      boolean held = done.node().equals(row.owner) && row.state == done.from();
      boolean late = done.isDelivery() && row.owner == null && row.state.outcome() != State.SENT;
      if (held || late) {
        apply(row, done, late, now);
        return Completed.APPLIED;
      }
    }
    if (!done.isDelivery()) {
      return Completed.LOST;
    }
    tables.addHistory(
        row.id,
        row.step(
            row.state,
            now,
            row.progress,
            done.node(),
            null,
            "possible duplicate: accepted by the relay under a claim that was lost",
            row.headline == null ? null : done.report().response()));
    return Completed.POSSIBLE_DUPLICATE;
  }

  private static boolean wasApplied(Row row, Completion done) {
    return done.isDelivery()
        ? row.sentToken == done.token()
        : row.completedToken == done.token() && row.completedTo == done.to();
  }

  private void apply(Row row, Completion done, boolean late, Instant now) {
    Report report = row.headline == null ? Report.NONE : done.report();
    boolean sent = done.to().outcome() == State.SENT;
    if (late || !done.isOrdinary()) {
      String words = late ? "accepted by the relay before its claim was reaped" : report.reason();
      tables.addHistory(
          row.id,
          row.step(
              done.to(), now, done.progress(), done.node(), done.code(), words, report.response()));
    }
    if (row.state == State.INTAKING && done.to() == State.READY) {
      row.prepared = now;
    }
    if (done.isDelivery()) {
      row.sent = now;
      row.sentToken = done.token();
    }
    row.code = sent ? null : done.code() == null ? row.code : done.code();
    if (!done.from().isSettled()) {
      learn(row, report, sent);
      row.settled = done.to().isSettled() ? now : null;
    }
    row.progress = done.progress();
    row.completedToken = done.token();
    row.completedTo = done.to();
    row.state = done.to();
    row.owner = null;
    row.due = done.dueIn() == null ? null : now.plus(done.dueIn());
    row.updated = now;
    if (done.composed() != null) {
      tables.saveComposed(row.id, done.composed());
    }
    if (sent && !done.keepsContent()) {
      tables.dropContent(row.id);
    }
    store(row, done.archives());
  }

  private static void learn(Row row, Report report, boolean sent) {
    row.reason = sent ? null : report.reason() == null ? row.reason : report.reason();
    row.response = report.response() == null ? row.response : report.response();
    row.recipients = report.recipients().isEmpty() ? row.recipients : report.recipients();
    row.headline = row.headline == null ? null : row.headline.withRendered(report.subject());
  }

  Reaped reap(Row row, NodeId dead, ReapPolicy policy, Instant now) {
    State from = row.state;
    ReapPolicy.Verdict verdict =
        policy.decide(
            from, tables.isComposed(row.id), row.lane, row.progress, row.callbackUrl != null);
    String words = "its node died";
    tables.addHistory(
        row.id, row.step(verdict.to(), now, verdict.progress(), dead, verdict.code(), words, null));
    row.state = verdict.to();
    row.lane = verdict.lane();
    row.progress = verdict.progress();
    row.owner = null;
    row.due = verdict.waits() ? now : null;
    row.updated = now;
    if (verdict.code() != null) {
      row.code = verdict.code();
      row.reason = words;
      row.settled = now;
    }
    store(row, verdict.archives());
    return new Reaped(row.id, from, verdict.to(), verdict.progress().reaps(), verdict.code());
  }

  Moved move(ManualMove move, EmailId id, Instant now) {
    Optional<Row> hot = tables.email(id);
    if (hot.isPresent()) {
      Row row = hot.get();
      boolean done =
          switch (move) {
            case CANCEL -> cancel(row, now);
            case REQUEUE -> requeue(row, now);
            case ERASE -> erase(row, now);
          };
      return new Moved(id, done ? Moved.Status.DONE : Moved.Status.REFUSED, row.state);
    }
    return tables
        .logged(id)
        .map(
            row -> {
              boolean done = move == ManualMove.ERASE;
              if (done) {
                eraseColumns(row, now);
                tables.saveLogged(row);
              }
              return new Moved(id, done ? Moved.Status.DONE : Moved.Status.REFUSED, row.state);
            })
        .orElse(new Moved(id, Moved.Status.NOT_FOUND, null));
  }

  private boolean cancel(Row row, Instant now) {
    if (!row.state.isCancellable()) {
      return row.code == FailureCode.CANCELLED;
    }
    tables.addHistory(
        row.id,
        row.step(State.FAILED, now, row.progress, null, FailureCode.CANCELLED, "cancelled", null));
    row.state = State.FAILED;
    row.code = FailureCode.CANCELLED;
    row.reason = "cancelled";
    row.settled = now;
    row.token++;
    row.owner = null;
    row.due = row.callbackUrl == null ? null : now;
    row.updated = now;
    tables.save(row);
    return true;
  }

  private boolean requeue(Row row, Instant now) {
    Optional<State> to = row.state.requeuesTo(tables.isComposed(row.id));
    if (to.isEmpty() || !tables.hasContent(row.id)) {
      return false;
    }
    tables.addHistory(
        row.id, row.step(to.get(), now, row.progress.requeued(), null, null, "requeued", null));
    row.state = to.get();
    row.lane = Lane.of(row.priority);
    row.progress = row.progress.requeued();
    row.code = null;
    row.reason = null;
    row.settled = null;
    row.recipients = row.recipients.stream().map(RecipientResult::reopened).toList();
    row.token++;
    row.owner = null;
    row.due = now;
    row.deadline = now.plus(row.lifetime);
    row.updated = now;
    tables.save(row);
    return true;
  }

  private boolean erase(Row row, Instant now) {
    if (!row.state.isErasable()) {
      return false;
    }
    cancel(row, now);
    eraseColumns(row, now);
    tables.save(row);
    return true;
  }

  private void eraseColumns(Row row, Instant now) {
    if (row.headline == null) {
      return;
    }
    row.headline = null;
    row.reason = null;
    row.response = null;
    row.recipients = List.of();
    tables.dropContent(row.id);
    tables.hushHistory(row.id);
    tables.addHistory(row.id, row.step(row.state, now, row.progress, null, null, "erased", null));
  }

  private void store(Row row, boolean archives) {
    if (archives) {
      tables.archive(row);
    } else {
      tables.save(row);
    }
  }
}
