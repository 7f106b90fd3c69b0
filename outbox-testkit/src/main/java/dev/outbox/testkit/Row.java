package dev.outbox.testkit;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.Headline;
import dev.outbox.email.NodeId;
import dev.outbox.email.Priority;
import dev.outbox.email.Progress;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.State;
import dev.outbox.email.Timeline;
import dev.outbox.store.HistoryRow;
import dev.outbox.store.IdempotencyKey;
import dev.outbox.store.Lane;
import dev.outbox.store.NewEmail;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One email's columns, read out of a table to be looked at or changed and put back. */
final class Row {

  final EmailId id;
  final Priority priority;
  final @Nullable String template;
  final Set<String> tags;
  final @Nullable String requestId;
  final @Nullable URI callbackUrl;
  final @Nullable IdempotencyKey key;
  final Duration lifetime;
  final Instant created;

  State state = State.ACCEPTED;
  Lane lane;
  @Nullable Headline headline;
  Progress progress = Progress.NONE;
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
  List<RecipientResult> recipients = List.of();

  /** Changed by claim, cancel and requeue. */
  long token;

  /** The token of the last completion that was applied. */
  long completedToken;

  /** The state that completion led to; null before the first. */
  @Nullable State completedTo;

  /** The token of the completion that recorded the email as sent. */
  long sentToken;

  Row(
      EmailId id,
      Priority priority,
      @Nullable String template,
      Set<String> tags,
      @Nullable String requestId,
      @Nullable URI callbackUrl,
      @Nullable IdempotencyKey key,
      Duration lifetime,
      Instant created) {
    this.id = id;
    this.priority = priority;
    this.template = template;
    this.tags = tags;
    this.requestId = requestId;
    this.callbackUrl = callbackUrl;
    this.key = key;
    this.lifetime = lifetime;
    this.created = created;
    this.lane = Lane.of(priority);
    this.updated = created;
    this.deadline = created.plus(lifetime);
  }

  /** Returns the row of an email that is stored now. */
  static Row of(NewEmail email, Instant now) {
    Row row =
        new Row(
            email.id(),
            email.priority(),
            email.template(),
            email.tags(),
            email.requestId(),
            email.callbackUrl(),
            email.key(),
            email.lifetime(),
            now);
    Instant due = email.sendAt() == null ? now : email.sendAt();
    row.headline = email.headline();
    row.due = due;
    row.deadline = due.plus(email.lifetime());
    return row;
  }

  EmailSummary summary(boolean archived) {
    return new EmailSummary(
        id,
        state,
        headline,
        priority,
        template,
        tags,
        requestId,
        callbackUrl,
        progress,
        new Timeline(created, preparing, prepared, sending, sent, settled, updated),
        due,
        deadline,
        owner,
        code,
        reason,
        response,
        recipients,
        archived);
  }

  /** Returns the history of a change that is about to be made. */
  HistoryRow step(
      State to,
      Instant now,
      Progress after,
      @Nullable NodeId node,
      @Nullable FailureCode why,
      @Nullable String words,
      @Nullable String detail) {
    return new HistoryRow(
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
        detail);
  }
}
