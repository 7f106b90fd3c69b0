package dev.outbox.mysql;

import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.EmailRecord;
import dev.outbox.store.PriorityLane;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row that could be claimed, locked. Content comes with it if it is small, so that mostly one
 * look reads all there is to know, and a claim cannot fill the memory.
 *
 * @param hot the row
 * @param size how large its content is, in bytes
 * @param payload the payload if it is in the row and small, or null
 * @param composed the composed message if it is in the row and small, or null
 */
record ClaimCandidate(LockedRow hot, long size, @Nullable Bytes payload, @Nullable Bytes composed) {

  /** Up to how many bytes of content come with a row. */
  static final int SMALL = 16 << 10;

  /** Reads a row of {@link SqlStatements#due}. */
  static ClaimCandidate read(ResultSet row) throws SQLException {
    return new ClaimCandidate(
        LockedRow.known(row),
        row.getLong(EmailColumn.AFTER_ALL + 1),
        ContentStorage.inRow(row, EmailColumn.AFTER_ALL + 2),
        ContentStorage.inRow(row, EmailColumn.AFTER_ALL + 3));
  }

  EmailId id() {
    return hot.id();
  }

  PriorityLane lane() {
    return hot.row().lane();
  }

  ClaimWatermarks.Reached reached(boolean more) {
    Instant due = hot.row().email().due();
    return new ClaimWatermarks.Reached(due == null ? hot.now() : due, id(), hot.now(), more);
  }

  /** Returns whether it has content that is still to be read. */
  boolean isLarge() {
    return size > SMALL;
  }

  ClaimCandidate with(@Nullable Bytes payload, @Nullable Bytes composed) {
    return new ClaimCandidate(hot, size, payload, composed);
  }

  /** Returns whether it has a column that holds no value of ours. */
  boolean isUnreadable() {
    return !hot.unreadable().isEmpty();
  }

  /** Returns the row after it was claimed; what cannot be read is made invalid by intake. */
  EmailRecord claimed(ClaimRequest request, Instant now) {
    EmailRecord claimed = hot.row().claimed(request, now);
    return isUnreadable() ? EmailRecordMapper.withHeadline(claimed, null) : claimed;
  }
}
