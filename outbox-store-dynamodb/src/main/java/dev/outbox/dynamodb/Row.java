package dev.outbox.dynamodb;

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
import dev.outbox.store.Lane;
import dev.outbox.store.NewEmail;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** One email's attributes, read out of its item to be looked at, or changed and written back. */
final class Row {

  private static final EmailId NOBODY = new EmailId(new UUID(0, 0));

  EmailId id = NOBODY;
  boolean archived;

  /** Changed by every write, so that a change made meanwhile is noticed. */
  long version;

  State state = State.ACCEPTED;
  Lane lane = Lane.NORMAL;
  Priority priority = Priority.NORMAL;
  @Nullable Headline headline;
  @Nullable String template;
  Set<String> tags = Set.of();
  @Nullable String requestId;
  @Nullable URI callbackUrl;
  Duration lifetime = Duration.ZERO;
  Progress progress = Progress.NONE;
  Instant created = Instant.EPOCH;
  @Nullable Instant preparing;
  @Nullable Instant prepared;
  @Nullable Instant sending;
  @Nullable Instant sent;
  @Nullable Instant settled;
  Instant updated = Instant.EPOCH;
  @Nullable Instant due;
  Instant deadline = Instant.EPOCH;
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

  /** The digest of the idempotency key, or null. */
  @Nullable String key;

  /** When the item of the key goes, in seconds; never before the email does. */
  long keyExpires;

  /** How many bytes of content there are; null if there is none any more. */
  @Nullable Long size;

  /** Whether the composed message is among the content. */
  boolean composed;

  /** How many items of history there are. */
  int seq;

  /** When the email is gone, in seconds; null while it is not final. */
  @Nullable Long ttl;

  /** The item as it was read: what a newer release has added is written back as it is. */
  Map<String, AttributeValue> source = Map.of();

  static Row of(NewEmail email, Instant now) {
    Row row = new Row();
    row.id = email.id();
    row.priority = email.priority();
    row.lane = Lane.of(email.priority());
    row.headline = email.headline();
    row.template = email.template();
    row.tags = email.tags();
    row.requestId = email.requestId();
    row.callbackUrl = email.callbackUrl();
    row.lifetime = email.lifetime();
    row.created = now;
    row.updated = now;
    row.due = email.sendAt() == null ? now : email.sendAt();
    row.deadline = row.due.plus(email.lifetime());
    row.key = email.key() == null ? null : email.key().key().hex();
    row.size = (long) email.payload().length();
    row.version = 1;
    return row;
  }

  boolean hasContent() {
    return size != null;
  }

  boolean erased() {
    return headline == null;
  }

  /** Returns whether nothing will happen to it any more unless somebody asks for it. */
  boolean isFinal() {
    return state.isSettled() && due == null && owner == null;
  }

  EmailSummary summary() {
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
