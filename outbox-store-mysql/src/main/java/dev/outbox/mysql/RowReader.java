package dev.outbox.mysql;

import dev.outbox.email.Counters;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collections;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the columns of one email and notes those whose values cannot be used, so that one bad row
 * never fails the call for the others. For one row and one thread.
 */
final class RowReader {

  /** No email is requeued, sent or reaped that often; the next one would overflow some day. */
  private static final int MOST = 1_000_000;

  private final ResultSet row;
  private @Nullable Set<String> unreadable;

  RowReader(ResultSet row) {
    this.row = row;
  }

  /** Returns the names of the columns that cannot be used. */
  Set<String> unreadable() {
    return unreadable == null ? Set.of() : Collections.unmodifiableSet(unreadable);
  }

  /** Notes that a column cannot be used. */
  void note(EmailColumn column) {
    if (unreadable == null) {
      unreadable = new TreeSet<>();
    }
    unreadable.add(column.name().toLowerCase(Locale.ROOT));
  }

  @Nullable String text(EmailColumn column) throws SQLException {
    return row.getString(column.at());
  }

  /** Reads a value; null if there is none, or if it cannot be used, which is noted. */
  <T> @Nullable T value(EmailColumn column, Function<String, T> parser) throws SQLException {
    String text = row.getString(column.at());
    try {
      return text == null ? null : parser.apply(text);
    } catch (RuntimeException malformed) {
      note(column);
      return null;
    }
  }

  /** Reads a value that sending an email does not need; null if it cannot be used. */
  <T> @Nullable T optional(EmailColumn column, Function<String, T> parser) throws SQLException {
    String text = row.getString(column.at());
    try {
      return text == null ? null : parser.apply(text);
    } catch (RuntimeException malformed) {
      return null;
    }
  }

  /** Reads the four counters; one that is out of range counts as zero. */
  Counters progress() throws SQLException {
    return new Counters(
        counter(EmailColumn.GENERATION),
        counter(EmailColumn.ATTEMPTS),
        counter(EmailColumn.REAPS),
        counter(EmailColumn.TRIES));
  }

  private int counter(EmailColumn column) throws SQLException {
    int count = row.getInt(column.at());
    if (count < 0 || count > MOST) {
      note(column);
      return 0;
    }
    return count;
  }

  /**
   * Reads the token of the last claim; after the highest one, {@link SqlStatements#claim} starts
   * again.
   */
  long token() throws SQLException {
    long token = row.getLong(EmailColumn.TOKEN.at());
    if (token == Long.MAX_VALUE) {
      note(EmailColumn.TOKEN);
      return 0;
    }
    return token;
  }

  /** Reads a time; null if there is none, or none that can be used. */
  @Nullable Instant time(EmailColumn column) throws SQLException {
    try {
      return UtcTimestamps.read(row, column.at());
    } catch (SQLException malformed) {
      // Some drivers refuse 0000-00-00, others take it for null.
      if (ErrorKind.of(malformed) == ErrorKind.CONNECTION_LOST) {
        throw malformed;
      }
      note(column);
      return null;
    }
  }

  /** Reads a time that every email has; if it cannot be used, another one stands in. */
  Instant needed(EmailColumn column, Instant otherwise) throws SQLException {
    Instant time = time(column);
    if (time == null) {
      note(column);
      return otherwise;
    }
    return time;
  }
}
