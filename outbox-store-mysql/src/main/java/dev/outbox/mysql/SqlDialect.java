package dev.outbox.mysql;

import dev.outbox.store.StoreException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the databases say differently. */
enum SqlDialect {
  /** MySQL 8.0 and newer. */
  MYSQL("UTC_TIMESTAMP(6)", "FORCE INDEX (%s)", "DELETE %1$s FROM %1$s %2$s", 8, 0),
  /** MariaDB 10.6 and newer. */
  MARIADB("UTC_TIMESTAMP(6)", "FORCE INDEX (%s)", "DELETE %1$s FROM %1$s %2$s", 10, 6),
  /**
   * H2 in MySQL mode; it has no choice to force. Its casts to a time without zone give the hands of
   * a clock in the session's zone, so the time in UTC is counted from its beginning.
   */
  H2(
      "DATEADD(MICROSECOND, CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP(6)) * 1000000 AS BIGINT),"
          + " TIMESTAMP '1970-01-01 00:00:00')",
      "",
      "DELETE FROM %s",
      2,
      2);

  private static final Pattern VERSION = Pattern.compile("(?:5\\.5\\.5-)?(\\d+)\\.(\\d+)");

  private final String now;
  private final String forcedIndex;
  private final String delete;
  private final int major;
  private final int minor;

  SqlDialect(String now, String forcedIndex, String delete, int major, int minor) {
    this.now = now;
    this.forcedIndex = forcedIndex;
    this.delete = delete;
    this.major = major;
    this.minor = minor;
  }

  /**
   * Finds out what a connection leads to.
   *
   * @throws StoreException if it is none of these, or too old
   */
  static SqlDialect of(Connection connection) throws SQLException {
    DatabaseMetaData data = connection.getMetaData();
    String product = data.getDatabaseProductName().toLowerCase(Locale.ROOT);
    // MariaDB calls itself MySQL to MySQL's own driver, and gives itself away by its version.
    String version = data.getDatabaseProductVersion().toLowerCase(Locale.ROOT);
    SqlDialect dialect;
    if (product.contains("h2")) {
      dialect = H2;
    } else if (product.contains("mariadb") || version.contains("mariadb")) {
      dialect = MARIADB;
    } else if (product.contains("mysql")) {
      dialect = MYSQL;
    } else {
      throw new StoreException(
          StoreException.Reason.MISCONFIGURED,
          "the database is neither MySQL nor MariaDB nor H2",
          null);
    }
    dialect.checkAge(version);
    return dialect;
  }

  /**
   * Refuses a database that is too old.
   *
   * @param found such as {@code 8.0.36}, {@code 2.4.240 (2025-09-22)} or {@code
   *     5.5.5-10.11.18-MariaDB}: before version 11, MariaDB put that in front for the sake of old
   *     clients, and MySQL's driver still believes it
   */
  void checkAge(String found) {
    Matcher version = VERSION.matcher(found);
    if (!version.lookingAt()) {
      throw new StoreException(
          StoreException.Reason.MISCONFIGURED, "the database tells no version", null);
    }
    int foundMajor = Integer.parseInt(version.group(1));
    int foundMinor = Integer.parseInt(version.group(2));
    if (foundMajor < major || (foundMajor == major && foundMinor < minor)) {
      throw new StoreException(
          StoreException.Reason.MISCONFIGURED,
          "%s %d.%d is too old: want %d.%d or newer"
              .formatted(this, foundMajor, foundMinor, major, minor),
          null);
    }
  }

  /** Returns the present time in UTC, whatever zone the session is in. */
  String now() {
    return now;
  }

  /** Returns the words that make a query use an index. */
  String forced(String index) {
    return forcedIndex.formatted(index);
  }

  /** Returns the beginning of a statement that deletes by an index; plain DELETE knows no hints. */
  String deleteFrom(String table, String index) {
    return delete.formatted(table, forced(index));
  }

  /**
   * Returns whether a JDBC batch of inserts is one request: with MariaDB's own driver it is, and is
   * the fastest of all ways in; H2 runs in this process. MySQL's driver sends row after row.
   */
  boolean takesBatches(Connection connection) throws SQLException {
    String driver = connection.getMetaData().getDriverName().toLowerCase(Locale.ROOT);
    return this == H2 || (this == MARIADB && driver.contains("mariadb"));
  }

  /** Returns the size of the largest statement that the server takes, in bytes. */
  long packet(Connection connection) throws SQLException {
    if (this == H2) {
      return Long.MAX_VALUE;
    }
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT @@max_allowed_packet")) {
      return row.next() ? row.getLong(1) : Long.MAX_VALUE;
    }
  }
}
