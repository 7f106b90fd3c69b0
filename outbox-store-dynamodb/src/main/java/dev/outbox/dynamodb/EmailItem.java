package dev.outbox.dynamodb;

import dev.outbox.email.AddressesAndSubject;
import dev.outbox.email.Counters;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.NodeId;
import dev.outbox.email.Priority;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.State;
import dev.outbox.email.Timeline;
import dev.outbox.store.ClaimTokens;
import dev.outbox.store.EmailRecord;
import dev.outbox.store.NewEmail;
import dev.outbox.store.PriorityLane;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** One email's attributes, read out of its item to be looked at, or changed and written back. */
final class EmailItem {

  private static final EmailId NOBODY = new EmailId(new UUID(0, 0));

  EmailId id = NOBODY;
  boolean archived;

  /** Changed by every write, so that a change made meanwhile is noticed. */
  long version;

  State state = State.ACCEPTED;
  PriorityLane lane = PriorityLane.NORMAL;
  Priority priority = Priority.NORMAL;
  @Nullable AddressesAndSubject addressesAndSubject;
  @Nullable String template;
  Set<String> tags = Set.of();
  @Nullable String requestId;
  @Nullable URI callbackUrl;
  Duration lifetime = Duration.ZERO;
  Counters progress = Counters.NONE;
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

  /** Who rendered or sent it last; while it does, the item only says so as its owner. */
  @Nullable NodeId worker;

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

  /** How many of these bytes are the composed message. */
  long composedSize;

  /** In how many items the composed message is. */
  int composed;

  /** How many items of history there are. */
  int seq;

  /** When the email is gone, in seconds; null while it is not final. */
  @Nullable Long ttl;

  /** The names of attributes that cannot be read; the row is as if they were not there. */
  final Set<String> spoilt = new TreeSet<>();

  /** Whether nothing in the item says which state it is in. */
  boolean stateless = true;

  /** Whether another tool has stored the item; it is shown and never written. */
  boolean foreign;

  /** The item as it was read: what a newer release has added is written back as it is. */
  Map<String, AttributeValue> source = Map.of();

  /** The names of content that is kept outside; null if it is in items. */
  @Nullable String payloadFile;

  @Nullable String composedFile;

  static EmailItem of(NewEmail email, Instant now) {
    EmailItem row = new EmailItem();
    row.set(EmailRecord.of(email, now));
    row.key = email.key() == null ? null : email.key().key().hex();
    row.size = (long) email.payload().length();
    return row;
  }

  boolean hasContent() {
    return size != null;
  }

  boolean isSpoilt() {
    return !spoilt.isEmpty();
  }

  boolean isComposed() {
    return composed > 0 || composedFile != null;
  }

  /** Returns whether nothing will happen to it any more unless somebody asks for it. */
  boolean isFinal() {
    return state.hasOutcome() && due == null && owner == null;
  }

  /** Returns the columns as the core decides about them. */
  EmailRecord columns() {
    return new EmailRecord(
        new EmailSummary(
            id,
            state,
            addressesAndSubject,
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
            worker,
            code,
            reason,
            response,
            recipients,
            archived),
        lane,
        null,
        lifetime,
        new ClaimTokens(token, completedToken, completedTo, sentToken));
  }

  /** Takes over what the core has decided; what is only this store's stays. */
  final void set(EmailRecord columns) {
    EmailSummary email = columns.email();
    Timeline times = email.timeline();
    id = email.id();
    state = email.state();
    stateless = false;
    addressesAndSubject = email.addressesAndSubject();
    priority = email.priority();
    template = email.template();
    tags = email.tags();
    requestId = email.requestId();
    callbackUrl = email.callbackUrl();
    progress = email.progress();
    created = times.created();
    preparing = times.preparing();
    prepared = times.prepared();
    sending = times.sending();
    sent = times.sent();
    settled = times.settled();
    updated = times.updated();
    due = email.due();
    deadline = email.deadline();
    owner = email.owner();
    worker = email.worker();
    code = email.code();
    reason = email.reason();
    response = email.response();
    recipients = email.recipients();
    archived = email.archived();
    lane = columns.lane();
    lifetime = columns.lifetime();
    token = columns.tokens().current();
    completedToken = columns.tokens().completed();
    completedTo = columns.tokens().completedTo();
    sentToken = columns.tokens().sent();
  }
}
