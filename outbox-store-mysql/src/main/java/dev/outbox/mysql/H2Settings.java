package dev.outbox.mysql;

import dev.outbox.store.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;

/**
 * The settings under which H2 keeps its word. By default it answers a commit before it is written,
 * and loses up to half a second of them when its process is killed.
 */
final class H2Settings {

  static final String IN_URL = "MODE=MySQL;WRITE_DELAY=0;LOCK_TIMEOUT=10000";

  private static final Map<String, String> NEEDED = Map.of("MODE", "MySQL", "WRITE_DELAY", "0");

  private H2Settings() {}

  /**
   * Refuses a database that would lose commits or does not know our SQL.
   *
   * @throws StoreException naming the setting
   */
  static void check(Connection connection) throws SQLException {
    for (Map.Entry<String, String> setting : NEEDED.entrySet()) {
      String found = read(connection, setting.getKey());
      if (!setting.getValue().equalsIgnoreCase(found)) {
        throw new StoreException(
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
