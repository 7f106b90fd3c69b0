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
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
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
   * Reads a row, column after column in their order; null if its state is one that only a newer
   * release knows.
   */
  static @Nullable EmailRow read(ResultSet row, boolean archived) throws SQLException {
    State state = State.ofWireName(row.getString(Column.STATUS.at())).orElse(null);
    if (state == null) {
      return null;
    }
    Priority priority = priority(row.getInt(Column.PRIORITY.at()));
    String completedTo = row.getString(Column.COMPLETED_TO.at());
    EmailId id = Ids.id(row.getBytes(Column.ID.at()));
    Headline headline = headline(row);
    String template = row.getString(Column.TEMPLATE.at());
    Set<String> tags = Lines.tags(row.getString(Column.TAGS.at()));
    String request = row.getString(Column.ID_REQUEST.at());
    URI callback = readable(row.getString(Column.CALLBACK_URL.at()), URI::create);
    Progress progress = progress(row);
    Timeline timeline = timeline(row);
    Instant deadline = Time.needed(row, Column.DEADLINE.at());
    NodeId worker = readable(row.getString(Column.WORKER.at()), NodeId::new);
    FailureCode code = failureCode(row.getString(Column.CODE.at()));
    String reason = row.getString(Column.REASON.at());
    String response = row.getString(Column.RESPONSE.at());
    List<RecipientResult> results = results(row);
    IdempotencyKey key =
        key(row.getBytes(Column.KEY_HASH.at()), row.getBytes(Column.FINGERPRINT.at()));
    Tokens tokens =
        new Tokens(
            row.getLong(Column.TOKEN.at()),
            row.getLong(Column.COMPLETED_TOKEN.at()),
            completedTo == null ? null : State.ofWireName(completedTo).orElse(null),
            row.getLong(Column.SENT_TOKEN.at()));
    Lane lane = archived ? Lane.of(priority) : lane(row.getInt(Column.LANE.at()));
    Instant due = archived ? null : Time.read(row, Column.DUE.at());
    NodeId owner = archived ? null : readable(row.getString(Column.OWNER.at()), NodeId::new);
    Duration lifetime =
        archived
            ? Duration.ZERO
            : Duration.of(row.getLong(Column.LIFETIME.at()), ChronoUnit.MICROS);
    return new EmailRow(
        new EmailSummary(
            id, state, headline, priority, template, tags, request, callback, progress, timeline,
            due, deadline, owner, worker, code, reason, response, results, archived),
        lane,
        key,
        lifetime,
        tokens);
  }

  private static Progress progress(ResultSet row) throws SQLException {
    return new Progress(
        row.getInt(Column.GENERATION.at()),
        row.getInt(Column.ATTEMPTS.at()),
        row.getInt(Column.REAPS.at()),
        row.getInt(Column.TRIES.at()));
  }

  private static Timeline timeline(ResultSet row) throws SQLException {
    return new Timeline(
        Time.needed(row, Column.CREATED.at()),
        Time.read(row, Column.PREPARING.at()),
        Time.read(row, Column.PREPARED.at()),
        Time.read(row, Column.SENDING.at()),
        Time.read(row, Column.SENT.at()),
        Time.read(row, Column.SETTLED.at()),
        Time.needed(row, Column.UPDATED.at()));
  }

  private static List<RecipientResult> results(ResultSet row) throws SQLException {
    return Objects.requireNonNullElse(
        readable(row.getString(Column.RESULTS.at()), Lines::results), List.of());
  }

  /** Reads who an email is from and to; null if it was erased, or somebody spoilt the row. */
  private static @Nullable Headline headline(ResultSet row) throws SQLException {
    String sender = row.getString(Column.SENDER.at());
    String recipients = row.getString(Column.RECIPIENTS.at());
    String subject = row.getString(Column.SUBJECT.at());
    try {
      return sender == null || recipients == null
          ? null
          : new Headline(Address.parse(sender), Lines.recipients(recipients), subject);
    } catch (RuntimeException unreadable) {
      // Intake makes the email invalid for it; the other emails go on.
      return null;
    }
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

  /** Reads a value; null if somebody spoilt it, so that one bad row never stops the others. */
  private static <T> @Nullable T readable(@Nullable String value, Function<String, T> reader) {
    try {
      return value == null ? null : reader.apply(value);
    } catch (RuntimeException spoilt) {
      return null;
    }
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
