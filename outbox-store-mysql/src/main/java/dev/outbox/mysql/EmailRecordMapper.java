package dev.outbox.mysql;

import dev.outbox.email.Address;
import dev.outbox.email.AddressesAndSubject;
import dev.outbox.email.Counters;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.NodeId;
import dev.outbox.email.Priority;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.Recipients;
import dev.outbox.email.State;
import dev.outbox.email.Timeline;
import dev.outbox.store.ClaimTokens;
import dev.outbox.store.EmailRecord;
import dev.outbox.store.IdempotencyKey;
import dev.outbox.store.PriorityLane;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** Rows of the tables of emails and of the log, to and from {@link EmailRecord}. */
final class EmailRecordMapper {

  /** What stands for everybody in an email that goes to more than one mailbox. */
  static final int SEVERAL = 0;

  private EmailRecordMapper() {}

  /** Binds all columns of an email. */
  static void bind(RowParameters values, EmailRecord row) {
    EmailSummary email = row.email();
    IdempotencyKey key = row.key();
    values
        .bind("id", BinaryIds.bytes(row.id()))
        .bind("key_hash", key == null ? null : BinaryIds.bytes(key.key()))
        .bind("fingerprint", key == null ? null : BinaryIds.bytes(key.fingerprint()))
        .bind("priority", code(email.priority()))
        .bind("template", email.template())
        .bind("tags", TextListFormat.ofTags(email.tags()))
        .bind("id_request", email.requestId())
        .bind("callback_url", text(email.callbackUrl()))
        .bind("created", email.timeline().created());
    bindChanging(values, row);
  }

  /** Binds the columns that change on an email's way. */
  static void bindChanging(RowParameters values, EmailRecord row) {
    EmailSummary email = row.email();
    ClaimTokens tokens = row.tokens();
    Counters progress = email.progress();
    Timeline times = email.timeline();
    State completedTo = tokens.completedTo();
    values
        .bind("id", BinaryIds.bytes(row.id()))
        .bind("status", email.state().wireName())
        .bind("lane", code(row.lane()))
        .bind("due", email.due())
        .bind("owner", text(email.owner()))
        .bind("worker", text(email.worker()))
        .bind("token", tokens.current())
        .bind("completed_token", tokens.completed())
        .bind("completed_to", completedTo == null ? null : completedTo.wireName())
        .bind("sent_token", tokens.sent())
        .bind("generation", progress.generation())
        .bind("attempts", progress.attempts())
        .bind("reaps", progress.reaps())
        .bind("tries", progress.stageRetries())
        .bind("preparing", times.preparing())
        .bind("prepared", times.prepared())
        .bind("sending", times.sending())
        .bind("sent", times.sent())
        .bind("settled", times.settled())
        .bind("updated", times.updated())
        .bind("deadline", email.deadline())
        .bind("code", text(email.code()))
        .bind("reason", email.reason())
        .bind("response", email.response())
        .bind("results", TextListFormat.ofResults(email.recipients()));
    bind(values, email.addressesAndSubject());
  }

  static void bind(RowParameters values, @Nullable AddressesAndSubject addressesAndSubject) {
    values
        .bind("sender", addressesAndSubject == null ? null : addressesAndSubject.from().format())
        .bind(
            "recipients",
            addressesAndSubject == null
                ? null
                : TextListFormat.of(addressesAndSubject.recipients()))
        .bind(
            "recipient_hash",
            addressesAndSubject == null ? null : hash(addressesAndSubject.recipients()))
        .bind("subject", addressesAndSubject == null ? null : addressesAndSubject.subject());
  }

  /**
   * An email as it was read.
   *
   * @param row the email, as far as it can be read
   * @param unreadable the names of the columns that hold no value of ours
   */
  record Read(EmailRecord row, Set<String> unreadable) {}

  /**
   * Reads a row, column after column in their order; null if its state is one that only a newer
   * release knows.
   */
  static @Nullable Read read(ResultSet from, boolean archived) throws SQLException {
    State state = State.ofWireName(from.getString(EmailColumn.STATUS.at())).orElse(null);
    if (state == null) {
      return null;
    }
    RowReader row = new RowReader(from);
    Priority priority = priority(from.getInt(EmailColumn.PRIORITY.at()));
    State completedTo =
        row.optional(EmailColumn.COMPLETED_TO, text -> State.ofWireName(text).orElseThrow());
    EmailId id = BinaryIds.id(from.getBytes(EmailColumn.ID.at()));
    AddressesAndSubject addressesAndSubject = headline(row);
    String template = row.text(EmailColumn.TEMPLATE);
    Set<String> tags = TextListFormat.tags(row.text(EmailColumn.TAGS));
    String request = row.text(EmailColumn.ID_REQUEST);
    URI callback = row.value(EmailColumn.CALLBACK_URL, URI::create);
    Counters progress = row.progress();
    Timeline timeline = timeline(row, id);
    Instant deadline = row.needed(EmailColumn.DEADLINE, timeline.created());
    NodeId worker = row.optional(EmailColumn.WORKER, NodeId::new);
    FailureCode code = failureCode(row.text(EmailColumn.CODE));
    String reason = row.text(EmailColumn.REASON);
    String response = row.text(EmailColumn.RESPONSE);
    List<RecipientResult> results = row.value(EmailColumn.RESULTS, TextListFormat::results);
    IdempotencyKey key =
        key(from.getBytes(EmailColumn.KEY_HASH.at()), from.getBytes(EmailColumn.FINGERPRINT.at()));
    ClaimTokens tokens =
        new ClaimTokens(
            row.token(),
            from.getLong(EmailColumn.COMPLETED_TOKEN.at()),
            completedTo,
            from.getLong(EmailColumn.SENT_TOKEN.at()));
    PriorityLane lane =
        archived ? PriorityLane.of(priority) : lane(from.getInt(EmailColumn.LANE.at()));
    Instant due = archived ? null : row.time(EmailColumn.DUE);
    NodeId owner = archived ? null : row.optional(EmailColumn.OWNER, NodeId::new);
    Duration lifetime =
        archived
            ? Duration.ZERO
            : Duration.of(from.getLong(EmailColumn.LIFETIME.at()), ChronoUnit.MICROS);
    return new Read(
        new EmailRecord(
            new EmailSummary(
                id,
                state,
                addressesAndSubject,
                priority,
                template,
                tags,
                request,
                callback,
                progress,
                timeline,
                due,
                deadline,
                owner,
                worker,
                code,
                reason,
                response,
                results == null ? List.of() : results,
                archived),
            lane,
            key,
            lifetime,
            tokens),
        row.unreadable());
  }

  /**
   * Returns an email with another sender, other recipients and another subject. Without any, intake
   * refuses it.
   */
  static EmailRecord withHeadline(
      EmailRecord row, @Nullable AddressesAndSubject addressesAndSubject) {
    EmailSummary email = row.email();
    return new EmailRecord(
        new EmailSummary(
            email.id(),
            email.state(),
            addressesAndSubject,
            email.priority(),
            email.template(),
            email.tags(),
            email.requestId(),
            email.callbackUrl(),
            email.progress(),
            email.timeline(),
            email.due(),
            email.deadline(),
            email.owner(),
            email.worker(),
            email.code(),
            email.reason(),
            email.response(),
            email.recipients(),
            email.archived()),
        row.lane(),
        row.key(),
        row.lifetime(),
        row.tokens());
  }

  private static Timeline timeline(RowReader row, EmailId id) throws SQLException {
    // The id begins with the milliseconds at which it was made.
    Instant created =
        row.needed(
            EmailColumn.CREATED, Instant.ofEpochMilli(id.value().getMostSignificantBits() >>> 16));
    return new Timeline(
        created,
        row.time(EmailColumn.PREPARING),
        row.time(EmailColumn.PREPARED),
        row.time(EmailColumn.SENDING),
        row.time(EmailColumn.SENT),
        row.time(EmailColumn.SETTLED),
        row.needed(EmailColumn.UPDATED, created));
  }

  /** Reads sender, recipients and subject; null if they were erased or cannot be read. */
  private static @Nullable AddressesAndSubject headline(RowReader row) throws SQLException {
    Address sender = row.value(EmailColumn.SENDER, text -> Address.stored("sender", text));
    Recipients recipients = row.value(EmailColumn.RECIPIENTS, TextListFormat::recipients);
    String subject = row.text(EmailColumn.SUBJECT);
    return sender == null || recipients == null
        ? null
        : new AddressesAndSubject(sender, recipients, subject);
  }

  /**
   * Returns a short hash of an email's only recipient. Emails to several share one value, so that a
   * look for somebody goes to two places of the index and never misses.
   */
  static int hash(Recipients recipients) {
    List<Address> all = recipients.all();
    return all.size() == 1 ? hash(all.get(0)) : SEVERAL;
  }

  static int hash(Address address) {
    CRC32 crc = new CRC32();
    crc.update(address.canonical().getBytes(StandardCharsets.UTF_8));
    return (int) crc.getValue();
  }

  static int code(PriorityLane lane) {
    return switch (lane) {
      case HIGH -> 0;
      case NORMAL -> 1;
      case BULK -> 2;
      case SUSPECT -> 3;
    };
  }

  private static PriorityLane lane(int code) {
    for (PriorityLane lane : PriorityLane.values()) {
      if (code(lane) == code) {
        return lane;
      }
    }
    return PriorityLane.NORMAL;
  }

  static int code(Priority priority) {
    return code(PriorityLane.of(priority));
  }

  private static Priority priority(int code) {
    for (Priority priority : Priority.values()) {
      if (code(priority) == code) {
        return priority;
      }
    }
    return Priority.NORMAL;
  }

  private static @Nullable String text(@Nullable Object value) {
    return value == null ? null : value.toString();
  }

  private static @Nullable IdempotencyKey key(
      byte @Nullable [] key, byte @Nullable [] fingerprint) {
    return key == null || fingerprint == null || key.length != 32 || fingerprint.length != 32
        ? null
        : new IdempotencyKey(BinaryIds.digest(key), BinaryIds.digest(fingerprint));
  }

  static @Nullable FailureCode failureCode(@Nullable String value) {
    for (FailureCode code : FailureCode.values()) {
      if (code.name().equals(value)) {
        return code;
      }
    }
    return null;
  }
}
