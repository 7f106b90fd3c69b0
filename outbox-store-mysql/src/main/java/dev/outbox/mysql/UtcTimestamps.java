package dev.outbox.mysql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Objects;
import org.jdbi.v3.core.argument.Argument;
import org.jspecify.annotations.Nullable;

/**
 * Times between rows and memory. Columns hold the hands of a clock in UTC and no zone; going
 * through {@link java.sql.Timestamp} would let the JVM's zone have a say, and lose an hour each
 * spring.
 */
final class UtcTimestamps {

  private static final DateTimeFormatter TEXT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);

  private UtcTimestamps() {}

  static Argument argument(@Nullable Instant time) {
    return (position, statement, context) -> {
      if (time == null) {
        statement.setNull(position, Types.TIMESTAMP);
      } else {
        statement.setString(position, text(time));
      }
    };
  }

  /**
   * Writes a time as every database reads it. MySQL's driver takes a MariaDB before version 11 for
   * a server that knows no fractions of seconds, and cuts them off whatever else it is given.
   */
  static String text(Instant time) {
    return TEXT.format(column(time));
  }

  static LocalDateTime column(Instant time) {
    return LocalDateTime.ofInstant(time.truncatedTo(ChronoUnit.MICROS), ZoneOffset.UTC);
  }

  static @Nullable Instant read(ResultSet row, String column) throws SQLException {
    return instant(row.getObject(column, LocalDateTime.class));
  }

  static @Nullable Instant read(ResultSet row, int column) throws SQLException {
    return instant(row.getObject(column, LocalDateTime.class));
  }

  private static @Nullable Instant instant(@Nullable LocalDateTime hands) {
    return hands == null ? null : hands.toInstant(ZoneOffset.UTC);
  }

  static Instant needed(ResultSet row, String column) throws SQLException {
    return Objects.requireNonNull(read(row, column), column);
  }

  static Instant needed(ResultSet row, int column) throws SQLException {
    return Objects.requireNonNull(read(row, column), "a time");
  }
}
