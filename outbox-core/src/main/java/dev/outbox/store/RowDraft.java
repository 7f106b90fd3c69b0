package dev.outbox.store;

import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.Headline;
import dev.outbox.email.NodeId;
import dev.outbox.email.Progress;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.State;
import dev.outbox.email.Timeline;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A row on its way to the next: all columns that may change, to be set one by one. */
final class RowDraft {

  private final EmailRow before;

  State state;
  Lane lane;
  @Nullable Headline headline;
  Progress progress;
  @Nullable Instant preparing;
  @Nullable Instant prepared;
  @Nullable Instant sending;
  @Nullable Instant sent;
  @Nullable Instant settled;
  Instant updated;
  @Nullable Instant due;
  Instant deadline;
  @Nullable NodeId owner;
  @Nullable FailureCode code;
  @Nullable String reason;
  @Nullable String response;
  List<RecipientResult> recipients;
  Tokens tokens;
  boolean archived;

  RowDraft(EmailRow before, Instant now) {
    this.before = before;
    EmailSummary email = before.email();
    Timeline times = email.timeline();
    this.state = email.state();
    this.lane = before.lane();
    this.headline = email.headline();
    this.progress = email.progress();
    this.preparing = times.preparing();
    this.prepared = times.prepared();
    this.sending = times.sending();
    this.sent = times.sent();
    this.settled = times.settled();
    this.updated = now;
    this.due = email.due();
    this.deadline = email.deadline();
    this.owner = email.owner();
    this.code = email.code();
    this.reason = email.reason();
    this.response = email.response();
    this.recipients = email.recipients();
    this.tokens = before.tokens();
    this.archived = email.archived();
  }

  /** Takes over what a worker said; what it did not say stays. */
  void learn(Report report, boolean isSent) {
    if (isSent) {
      reason = null;
    } else if (report.reason() != null) {
      reason = report.reason();
    }
    if (report.response() != null) {
      response = report.response();
    }
    if (!report.recipients().isEmpty()) {
      recipients = report.recipients();
    }
    if (headline != null) {
      headline = headline.withRendered(report.subject());
    }
  }

  void reopenRecipients() {
    recipients = recipients.stream().map(RecipientResult::reopened).toList();
  }

  EmailRow toRow() {
    EmailSummary email = before.email();
    return new EmailRow(
        new EmailSummary(
            email.id(),
            state,
            headline,
            email.priority(),
            email.template(),
            email.tags(),
            email.requestId(),
            email.callbackUrl(),
            progress,
            new Timeline(
                email.timeline().created(), preparing, prepared, sending, sent, settled, updated),
            due,
            deadline,
            owner,
            email.worker(),
            code,
            reason,
            response,
            recipients,
            archived),
        lane,
        before.key(),
        before.lifetime(),
        tokens);
  }
}
