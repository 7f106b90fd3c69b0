package dev.outbox.mysql;

import dev.outbox.email.EmailId;
import dev.outbox.store.EmailRecord;
import dev.outbox.store.RecordChange;
import dev.outbox.store.Transition;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The rows that one transaction has locked, on their way or in the log, as they are after what was
 * decided so far. Rows in a state that only a newer release knows are left alone.
 */
final class LockedRows {

  private final Map<EmailId, LockedRow> hot = new HashMap<>();
  private final Map<EmailId, Logged> logged = new HashMap<>();

  private record Logged(EmailRecord row, Instant now) {

    static Optional<Logged> read(ResultSet row) throws SQLException {
      EmailRecordMapper.Read email = EmailRecordMapper.read(row, true);
      return email == null
          ? Optional.empty()
          : Optional.of(new Logged(email.row(), UtcTimestamps.needed(row, "now")));
    }
  }

  private LockedRows() {}

  /** Locks emails in the order of their ids, and those that are not there in the log. */
  static LockedRows lock(SqlStatements sql, Handle handle, Collection<EmailId> ids) {
    LockedRows rows = new LockedRows();
    handle
        .createQuery(sql.emailsForUpdate)
        .bindList("ids", BinaryIds.list(ids))
        .map((row, context) -> Optional.ofNullable(LockedRow.read(row)))
        .forEach(row -> row.ifPresent(found -> rows.hot.put(found.id(), found)));
    List<EmailId> missing = ids.stream().filter(id -> !rows.hot.containsKey(id)).toList();
    if (!missing.isEmpty()) {
      handle
          .createQuery(sql.logForUpdate)
          .bindList("ids", BinaryIds.list(missing))
          .map((row, context) -> Logged.read(row))
          .forEach(row -> row.ifPresent(found -> rows.logged.put(found.row.id(), found)));
    }
    return rows;
  }

  /** Returns an email, on its way or in the log; null if there is none. */
  @Nullable EmailRecord get(EmailId id) {
    LockedRow row = hot.get(id);
    if (row != null) {
      return row.row();
    }
    Logged past = logged.get(id);
    return past == null ? null : past.row;
  }

  /** Returns an email that is on its way; null if it is not. */
  @Nullable LockedRow hot(EmailId id) {
    return hot.get(id);
  }

  /** Returns the database's time when a row was locked. */
  Instant now(EmailId id) {
    LockedRow row = hot.get(id);
    return row != null ? row.now() : Objects.requireNonNull(logged.get(id)).now;
  }

  /** Hands over what was decided for an email, and returns the answer. */
  <A> A write(
      ChangeWriter writer,
      EmailId id,
      Transition<A> decision,
      ContentStorage.@Nullable Place message) {
    RecordChange change = decision.change();
    LockedRow row = hot.get(id);
    if (change == null) {
      return decision.answer();
    }
    if (row == null) {
      writer.note(id, change);
      if (change.row() != null) {
        logged.put(id, new Logged(change.row(), now(id)));
      }
      return decision.answer();
    }
    writer.add(row, change, message);
    if (change.row() != null) {
      hot.put(id, row.after(change.row(), change.deletesContent()));
    }
    return decision.answer();
  }
}
