package dev.outbox.mysql;

import dev.outbox.email.EmailId;
import dev.outbox.store.EmailRecord;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A row that was read to be changed.
 *
 * @param row the email
 * @param hasPayload whether its payload is stored
 * @param hasComposed whether its composed message is stored
 * @param payloadFile the payload's name among large content, or null
 * @param composedFile the composed message's name among large content, or null
 * @param unreadable the names of the columns that hold no value of ours
 * @param now the database's time
 */
record LockedRow(
    EmailRecord row,
    boolean hasPayload,
    boolean hasComposed,
    @Nullable String payloadFile,
    @Nullable String composedFile,
    Set<String> unreadable,
    Instant now) {

  /** Reads a row that a query chose by a state we know. */
  static LockedRow known(ResultSet row) throws SQLException {
    return Objects.requireNonNull(read(row), "state");
  }

  /** Reads a row of a query that has the database's time after all columns. */
  static @Nullable LockedRow read(ResultSet row) throws SQLException {
    EmailRecordMapper.Read email = EmailRecordMapper.read(row, false);
    return email == null
        ? null
        : new LockedRow(
            email.row(),
            row.getObject(EmailColumn.PAYLOAD_BYTES.at()) != null,
            row.getObject(EmailColumn.COMPOSED_BYTES.at()) != null,
            row.getString(EmailColumn.PAYLOAD_FILE_PATH.at()),
            row.getString(EmailColumn.EML_FILE_PATH.at()),
            email.unreadable(),
            UtcTimestamps.needed(row, EmailColumn.AFTER_ALL));
  }

  /** Returns the same after a change of its columns, and perhaps without its content. */
  LockedRow after(EmailRecord changed, boolean dropsContent) {
    return dropsContent
        ? new LockedRow(changed, false, false, null, null, unreadable, now)
        : new LockedRow(
            changed, hasPayload, hasComposed, payloadFile, composedFile, unreadable, now);
  }

  /** Returns whether sender or recipients are there and hold no value of ours. */
  boolean hasUnreadableHeadline() {
    return unreadable.contains("sender") || unreadable.contains("recipients");
  }

  EmailId id() {
    return row.id();
  }

  /** Returns the names of its large content. */
  Stream<String> files() {
    return Stream.of(payloadFile, composedFile).filter(Objects::nonNull).map(String::valueOf);
  }
}
