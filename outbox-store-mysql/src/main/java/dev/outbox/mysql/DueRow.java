package dev.outbox.mysql;

import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.EmailRow;
import dev.outbox.store.Lane;
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
record DueRow(HotRow hot, long size, @Nullable Bytes payload, @Nullable Bytes composed) {

  /** Up to how many bytes of content come with a row. */
  static final int SMALL = 16 << 10;

  /** Reads a row of {@link Sql#due}. */
  static DueRow read(ResultSet row) throws SQLException {
    return new DueRow(
        HotRow.known(row),
        row.getLong(Column.AFTER_ALL + 1),
        ContentKeeper.inRow(row, Column.AFTER_ALL + 2),
        ContentKeeper.inRow(row, Column.AFTER_ALL + 3));
  }

  EmailId id() {
    return hot.id();
  }

  Lane lane() {
    return hot.row().lane();
  }

  LowWater.Reached reached(boolean more) {
    Instant due = hot.row().email().due();
    return new LowWater.Reached(due == null ? hot.now() : due, id(), hot.now(), more);
  }

  /** Returns whether it has content that is still to be read. */
  boolean isLarge() {
    return size > SMALL;
  }

  DueRow with(@Nullable Bytes payload, @Nullable Bytes composed) {
    return new DueRow(hot, size, payload, composed);
  }

  /** Returns whether it has a column that holds no value of ours. */
  boolean isUnreadable() {
    return !hot.unreadable().isEmpty();
  }

  /** Returns the row after it was claimed; what cannot be read is made invalid by intake. */
  EmailRow claimed(ClaimRequest request, Instant now) {
    EmailRow claimed = hot.row().claimed(request, now);
    return isUnreadable() ? EmailColumns.withHeadline(claimed, null) : claimed;
  }
}
