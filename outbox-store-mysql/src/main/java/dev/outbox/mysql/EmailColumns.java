package dev.outbox.mysql;

import dev.outbox.email.Address;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.Headline;
import dev.outbox.email.NodeId;
import dev.outbox.email.Priority;
import dev.outbox.email.Progress;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.Recipients;
import dev.outbox.email.State;
import dev.outbox.email.Timeline;
import dev.outbox.store.EmailRow;
import dev.outbox.store.IdempotencyKey;
import dev.outbox.store.Lane;
import dev.outbox.store.Tokens;
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

/** Rows of the tables of emails and of the log, to and from {@link EmailRow}. */
final class EmailColumns {

  /** What stands for everybody in an email that goes to more than one mailbox. */
  static final int SEVERAL = 0;

  private EmailColumns() {}

  /** Binds all columns of an email. */
  static void bind(RowValues values, EmailRow row) {
    EmailSummary email = row.email();
    IdempotencyKey key = row.key();
    values
        .bind("id", Ids.bytes(row.id()))
        .bind("key_hash", key == null ? null : Ids.bytes(key.key()))
        .bind("fingerprint", key == null ? null : Ids.bytes(key.fingerprint()))
        .bind("priority", code(email.priority()))
        .bind("template", email.template())
        .bind("tags", Lines.ofTags(email.tags()))
        .bind("id_request", email.requestId())
        .bind("callback_url", text(email.callbackUrl()))
        .bind("created", email.timeline().created());
    bindChanging(values, row);
  }

  /** Binds the columns that change on an email's way. */
  static void bindChanging(RowValues values, EmailRow row) {
    EmailSummary email = row.email();
    Tokens tokens = row.tokens();
    Progress progress = email.progress();
    Timeline times = email.timeline();
    State completedTo = tokens.completedTo();
    values
        .bind("id", Ids.bytes(row.id()))
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
        .bind("tries", progress.tries())
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
        .bind("results", Lines.ofResults(email.recipients()));
    bind(values, email.headline());
  }

  static void bind(RowValues values, @Nullable Headline headline) {
    values
        .bind("sender", headline == null ? null : headline.from().format())
        .bind("recipients", headline == null ? null : Lines.of(headline.recipients()))
        .bind("recipient_hash", headline == null ? null : hash(headline.recipients()))
        .bind("subject", headline == null ? null : headline.subject());
  }

  /**
   * An email as it was read.
   *
   * @param row the email, as far as it can be read
   * @param unreadable the names of the columns that hold no value of ours
   */
  record Read(EmailRow row, Set<String> unreadable) {}

  /**
   * Reads a row, column after column in their order; null if its state is one that only a newer
   * release knows.
   */
  static @Nullable Read read(ResultSet from, boolean archived) throws SQLException {
    State state = State.ofWireName(from.getString(Column.STATUS.at())).orElse(null);
    if (state == null) {
      return null;
    }
    RowReader row = new RowReader(from);
    Priority priority = priority(from.getInt(Column.PRIORITY.at()));
    State completedTo =
        row.optional(Column.COMPLETED_TO, text -> State.ofWireName(text).orElseThrow());
    EmailId id = Ids.id(from.getBytes(Column.ID.at()));
    Headline headline = headline(row);
    String template = row.text(Column.TEMPLATE);
    Set<String> tags = Lines.tags(row.text(Column.TAGS));
    String request = row.text(Column.ID_REQUEST);
    URI callback = row.value(Column.CALLBACK_URL, URI::create);
    Progress progress = row.progress();
    Timeline timeline = timeline(row, id);
    Instant deadline = row.needed(Column.DEADLINE, timeline.created());
    NodeId worker = row.optional(Column.WORKER, NodeId::new);
    FailureCode code = failureCode(row.text(Column.CODE));
    String reason = row.text(Column.REASON);
    String response = row.text(Column.RESPONSE);
    List<RecipientResult> results = row.value(Column.RESULTS, Lines::results);
    IdempotencyKey key =
        key(from.getBytes(Column.KEY_HASH.at()), from.getBytes(Column.FINGERPRINT.at()));
    Tokens tokens =
        new Tokens(
            row.token(),
            from.getLong(Column.COMPLETED_TOKEN.at()),
            completedTo,
            from.getLong(Column.SENT_TOKEN.at()));
    Lane lane = archived ? Lane.of(priority) : lane(from.getInt(Column.LANE.at()));
    Instant due = archived ? null : row.time(Column.DUE);
    NodeId owner = archived ? null : row.optional(Column.OWNER, NodeId::new);
    Duration lifetime =
        archived
            ? Duration.ZERO
            : Duration.of(from.getLong(Column.LIFETIME.at()), ChronoUnit.MICROS);
    return new Read(
        new EmailRow(
            new EmailSummary(
                id,
                state,
                headline,
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
  static EmailRow withHeadline(EmailRow row, @Nullable Headline headline) {
    EmailSummary email = row.email();
    return new EmailRow(
        new EmailSummary(
            email.id(),
            email.state(),
            headline,
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
            Column.CREATED, Instant.ofEpochMilli(id.value().getMostSignificantBits() >>> 16));
    return new Timeline(
        created,
        row.time(Column.PREPARING),
        row.time(Column.PREPARED),
        row.time(Column.SENDING),
        row.time(Column.SENT),
        row.time(Column.SETTLED),
        row.needed(Column.UPDATED, created));
  }

  /** Reads sender, recipients and subject; null if they were erased or cannot be read. */
  private static @Nullable Headline headline(RowReader row) throws SQLException {
    Address sender = row.value(Column.SENDER, text -> Address.stored("sender", text));
    Recipients recipients = row.value(Column.RECIPIENTS, Lines::recipients);
    String subject = row.text(Column.SUBJECT);
    return sender == null || recipients == null ? null : new Headline(sender, recipients, subject);
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

  static int code(Lane lane) {
    return switch (lane) {
      case HIGH -> 0;
      case NORMAL -> 1;
      case BULK -> 2;
      case SUSPECT -> 3;
    };
  }

  private static Lane lane(int code) {
    for (Lane lane : Lane.values()) {
      if (code(lane) == code) {
        return lane;
      }
    }
    return Lane.NORMAL;
  }

  static int code(Priority priority) {
    return code(Lane.of(priority));
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
        : new IdempotencyKey(Ids.digest(key), Ids.digest(fingerprint));
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
