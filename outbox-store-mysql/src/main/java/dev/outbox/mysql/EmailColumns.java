package dev.outbox.mysql;

import dev.outbox.email.Address;
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
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** Rows of the tables of emails and of the log, to and from {@link EmailRow}. */
final class EmailColumns {

  /** What stands for everybody in an email that goes to more than one mailbox. */
  static final int SEVERAL = 0;

  /**
   * The columns that both tables have, in the order in which {@link #read} takes them: drivers find
   * a column by going on from the one before, and begin again for one that they have passed.
   */
  static final String SHARED =
      """
      status, priority, completed_to, id, sender, recipients, subject, template, tags, id_request, \
      callback_url, generation, attempts, reaps, tries, created, preparing, prepared, sending, \
      sent, settled, updated, deadline, worker, code, reason, response, results, key_hash, \
      fingerprint, token, completed_token, sent_token, recipient_hash""";

  /** The columns that only emails on their way have, without the content itself. */
  static final String HOT =
      "lane, due, owner, lifetime, payload_bytes, composed_bytes, payload_file_path, eml_file_path";

  private static final Map<String, Integer> POSITIONS = positions();

  /** Where a column is that follows both. */
  static final int AFTER_HOT = POSITIONS.size() + 1;

  private EmailColumns() {}

  private static Map<String, Integer> positions() {
    Map<String, Integer> positions = new HashMap<>();
    for (String column : (SHARED + ", " + HOT).split(", ", -1)) {
      positions.put(column, positions.size() + 1);
    }
    return Collections.unmodifiableMap(positions);
  }

  /**
   * Returns where a column is in the rows of a query that begins with {@link #SHARED} and, if it
   * needs them, {@link #HOT}. Drivers take longer to find a column by its name than to read it.
   */
  static int at(String column) {
    return Objects.requireNonNull(POSITIONS.get(column), column);
  }

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

  /** Reads a row; null if its state is one that only a newer release knows. */
  static @Nullable EmailRow read(ResultSet row, boolean archived) throws SQLException {
    State state = State.ofWireName(row.getString(at("status"))).orElse(null);
    if (state == null) {
      return null;
    }
    Instant due = archived ? null : Time.read(row, at("due"));
    NodeId owner = archived ? null : readable(row.getString(at("owner")), NodeId::new);
    Lane lane = archived ? null : lane(row.getInt(at("lane")));
    Duration lifetime =
        archived ? Duration.ZERO : Duration.of(row.getLong(at("lifetime")), ChronoUnit.MICROS);
    Priority priority = priority(row.getInt(at("priority")));
    String completedTo = row.getString(at("completed_to"));
    return new EmailRow(
        new EmailSummary(
            Ids.id(row.getBytes(at("id"))),
            state,
            headline(row),
            priority,
            row.getString(at("template")),
            Lines.tags(row.getString(at("tags"))),
            row.getString(at("id_request")),
            readable(row.getString(at("callback_url")), URI::create),
            new Progress(
                row.getInt(at("generation")),
                row.getInt(at("attempts")),
                row.getInt(at("reaps")),
                row.getInt(at("tries"))),
            new Timeline(
                Time.needed(row, at("created")),
                Time.read(row, at("preparing")),
                Time.read(row, at("prepared")),
                Time.read(row, at("sending")),
                Time.read(row, at("sent")),
                Time.read(row, at("settled")),
                Time.needed(row, at("updated"))),
            due,
            Time.needed(row, at("deadline")),
            owner,
            readable(row.getString(at("worker")), NodeId::new),
            failureCode(row.getString(at("code"))),
            row.getString(at("reason")),
            row.getString(at("response")),
            Objects.requireNonNullElse(
                readable(row.getString(at("results")), Lines::results), List.<RecipientResult>of()),
            archived),
        lane == null ? Lane.of(priority) : lane,
        key(row.getBytes(at("key_hash")), row.getBytes(at("fingerprint"))),
        lifetime,
        new Tokens(
            row.getLong(at("token")),
            row.getLong(at("completed_token")),
            completedTo == null ? null : State.ofWireName(completedTo).orElse(null),
            row.getLong(at("sent_token"))));
  }

  /** Reads who an email is from and to; null if it was erased, or somebody spoilt the row. */
  private static @Nullable Headline headline(ResultSet row) throws SQLException {
    String sender = row.getString(at("sender"));
    String recipients = row.getString(at("recipients"));
    String subject = row.getString(at("subject"));
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
