package dev.outbox.mysql;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.content.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of an H2 database, which only grows: H2 is told to write over nothing ({@link
 * H2Settings}). When most of it is waste, it is written anew, for which the database is closed for
 * a moment. To be used in turn with everybody else.
 */
final class H2File {

  private static final Logger log = LoggerFactory.getLogger(H2File.class);
  private static final int MEGABYTE = 1 << 20;

  private final HikariDataSource pool;
  private final long small;

  /**
   * Makes one.
   *
   * @param pool of a single connection
   * @param small up to how many bytes the file is left as it is
   */
  H2File(HikariDataSource pool, long small) {
    this.pool = pool;
    this.small = small;
  }

  /**
   * Makes sure that only the user of this process can read a database's file, before H2 opens it.
   * H2 would create it with the permissions that the process gives to all new files.
   *
   * @param database the absolute path, without the ending of the file
   */
  static void restrict(Path database) {
    Path directory = Objects.requireNonNull(database.getParent(), "the root is no file");
    Path file = file(database.toString());
    try {
      PrivateFiles.createDirectories(directory);
      PrivateFiles.warnIfOpen(directory);
      if (Files.exists(file)) {
        PrivateFiles.restrict(file);
      } else {
        // H2 takes an empty file for a new database.
        PrivateFiles.createFile(file).close();
      }
    } catch (IOException e) {
      // If the place cannot be used at all, H2 fails next, and its failure is reported.
      log.warn(
          "could not restrict access to the database's file: {}", e.getClass().getSimpleName());
    }
  }

  private static Path file(String database) {
    return Path.of(database + ".mv.db");
  }

  /** Writes the file anew if that is worth it and nobody else has it open. */
  void shrink() {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      long size = number(statement, "info.FILE_SIZE");
      if (size > small && isMostlyWaste(statement) && sessions(statement) == 1) {
        String database = H2Settings.file(connection);
        statement.execute("SHUTDOWN COMPACT");
        pool.evictConnection(connection);
        if (database != null) {
          // The new file has the permissions that the process gives to all new files.
          PrivateFiles.restrict(file(database));
        }
        log.debug("wrote the database's file of {} MB anew", size / MEGABYTE);
      }
    } catch (IOException e) {
      log.warn(
          "could not restrict access to the database's file: {}", e.getClass().getSimpleName());
    } catch (SQLException e) {
      log.warn("could not shrink the database's file: SQL state {}", e.getSQLState());
    }
  }

  private static boolean isMostlyWaste(Statement statement) throws SQLException {
    long percentInUse = number(statement, "info.FILL_RATE");
    long percentOfThatAlive = number(statement, "info.CHUNKS_FILL_RATE");
    return percentInUse * percentOfThatAlive < 50 * 100;
  }

  private static long number(Statement statement, String setting) throws SQLException {
    return one(
        statement,
        "SELECT SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = '%s'"
            .formatted(setting));
  }

  private static long sessions(Statement statement) throws SQLException {
    return one(statement, "SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS");
  }

  private static long one(Statement statement, String query) throws SQLException {
    try (ResultSet row = statement.executeQuery(query)) {
      return row.next() ? row.getLong(1) : 0;
    }
  }
}
