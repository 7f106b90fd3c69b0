package dev.outbox.mysql;

import dev.outbox.store.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings under which H2 keeps its word. By default it answers a commit before it is written,
 * and loses up to half a second of them when its process is killed. It also writes over those parts
 * of its file that it no longer needs, and then sometimes does not find its last commits again.
 */
final class H2Settings {

  /**
   * By default H2 closes the database as soon as its process is asked to end, before the host. It
   * also writes failed statements with their values to a file of its own, {@code .trace.db}.
   */
  private static final String IN_URL =
      ";MODE=MySQL;WRITE_DELAY=0;LOCK_TIMEOUT=10000;DB_CLOSE_ON_EXIT=FALSE;TRACE_LEVEL_FILE=0";

  /** In memory H2 cannot bear this. */
  private static final String IN_URL_OF_A_FILE = IN_URL + ";REUSE_SPACE=FALSE";

  private static final Map<String, String> NEEDED = Map.of("MODE", "MySQL", "WRITE_DELAY", "0");
  private static final Map<String, String> NEEDED_IN_A_FILE = Map.of("REUSE_SPACE", "FALSE");

  private H2Settings() {}

  /**
   * Refuses a database that would lose commits or does not know our SQL.
   *
   * @throws StoreException naming the setting
   */
  static void check(Connection connection) throws SQLException {
    check(connection, NEEDED);
    if (file(connection) != null) {
      check(connection, NEEDED_IN_A_FILE);
    }
  }

  /** Adds what a store needs to the URL of a database in this process. */
  static String in(String url) {
    if (!url.toLowerCase(Locale.ROOT).startsWith("jdbc:h2:")) {
      throw new IllegalArgumentException("url: not one of H2");
    }
    return url + (isFile(url) ? IN_URL_OF_A_FILE : IN_URL);
  }

  /** Returns whether a URL leads to a file that this process opens itself, as H2's mostly do. */
  static boolean isFile(String url) {
    String lower = url.toLowerCase(Locale.ROOT);
    return lower.startsWith("jdbc:h2:")
        && Stream.of("mem:", "tcp:", "ssl:").noneMatch(kind -> lower.startsWith(kind, 8));
  }

  /** Returns the path of the database's file; null if it is in memory. */
  static @Nullable String file(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT DATABASE_PATH()")) {
      return row.next() ? row.getString(1) : null;
    }
  }

  private static void check(Connection connection, Map<String, String> needed) throws SQLException {
    for (Map.Entry<String, String> setting : needed.entrySet()) {
      String found = read(connection, setting.getKey());
      if (!setting.getValue().equalsIgnoreCase(found)) {
        throw new StoreException(
            StoreException.Reason.MISCONFIGURED,
            "H2: the setting %s is %s and must be %s: add ;%s=%s to the URL"
                .formatted(
                    setting.getKey(),
                    found,
                    setting.getValue(),
                    setting.getKey(),
                    setting.getValue()),
            null);
      }
    }
  }

  private static String read(Connection connection, String name) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = ?")) {
      statement.setString(1, name);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getString(1) : "unset";
      }
    }
  }
}
