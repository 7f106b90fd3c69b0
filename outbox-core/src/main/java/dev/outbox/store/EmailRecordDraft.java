package dev.outbox.store;

import dev.outbox.email.AddressesAndSubject;
import dev.outbox.email.Counters;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.NodeId;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.State;
import dev.outbox.email.Timeline;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A row on its way to the next: all columns that may change, to be set one by one. */
final class EmailRecordDraft {

  private final EmailRecord before;

  State state;
  PriorityLane lane;
  @Nullable AddressesAndSubject addressesAndSubject;
  Counters progress;
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
  ClaimTokens tokens;
  boolean archived;

  EmailRecordDraft(EmailRecord before, Instant now) {
    this.before = before;
    EmailSummary email = before.email();
    Timeline times = email.timeline();
    this.state = email.state();
    this.lane = before.lane();
    this.addressesAndSubject = email.addressesAndSubject();
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
  void learn(OutcomeDetails report, boolean isSent) {
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
    if (addressesAndSubject != null) {
      addressesAndSubject = addressesAndSubject.withRendered(report.subject());
    }
  }

  void reopenRecipients() {
    recipients = recipients.stream().map(RecipientResult::reopened).toList();
  }

  EmailRecord toRow() {
    EmailSummary email = before.email();
    return new EmailRecord(
        new EmailSummary(
            email.id(),
            state,
            addressesAndSubject,
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
