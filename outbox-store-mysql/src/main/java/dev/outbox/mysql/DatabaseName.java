package dev.outbox.mysql;

import com.zaxxer.hikari.HikariDataSource;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Names a database in messages by host and schema, never by user or password. */
final class DatabaseName {

  static final String UNNAMED = "the database";

  private static final Pattern SERVER =
      Pattern.compile(
          "jdbc:(?:mysql|mariadb)[\\w:+]*//([\\w.,:\\[\\]-]+)(?:/([\\w$-]*))?(?:\\?.*)?");

  private DatabaseName() {}

  /** Returns the name of the database behind a pool, as far as the pool shows its URL. */
  static String of(DataSource source) {
    return source instanceof HikariDataSource pool ? of(pool.getJdbcUrl()) : UNNAMED;
  }

  /** Returns such as {@code the database shop at db:3306}. */
  static String of(@Nullable String url) {
    // Credentials may stand before the host, with any character in them.
    if (url == null || url.indexOf('@') >= 0) {
      return UNNAMED;
    }
    Matcher server = SERVER.matcher(url);
    if (!server.matches()) {
      return UNNAMED;
    }
    String schema = server.group(2);
    return UNNAMED
        + (schema == null || schema.isEmpty() ? "" : " " + schema)
        + " at "
        + server.group(1);
  }
}
