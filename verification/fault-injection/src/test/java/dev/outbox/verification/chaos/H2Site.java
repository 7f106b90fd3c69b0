package dev.outbox.verification.chaos;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;

/**
 * A database file that one node has open; the director looks into it only while that one is gone.
 */
final class H2Site implements DatabaseSite {

  private final String url;

  H2Site(Path folder) {
    this.url =
        "jdbc:h2:file:"
            + folder.resolve("outbox").toAbsolutePath()
            + ";MODE=MySQL;WRITE_DELAY=0;REUSE_SPACE=FALSE;DB_CLOSE_ON_EXIT=FALSE;LOCK_TIMEOUT=10000";
  }

  @Override
  public int port() {
    return 0;
  }

  @Override
  public String url(int port) {
    return url;
  }

  @Override
  public void kill() {
    throw new UnsupportedOperationException("it dies with its node");
  }

  @Override
  public void restart() {
    throw new UnsupportedOperationException("it lives with its node");
  }

  @Override
  public void lock(Duration length) {
    throw new UnsupportedOperationException("nobody else can lock it");
  }

  @Override
  public String poison(Line line, int choice) {
    return SqlPoison.add(url, "sa", line, choice);
  }

  @Override
  public long pending(Line line) {
    try (Connection connection = connect()) {
      return SqlTables.pending(connection, line);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Tables read(Line line) {
    try (Connection connection = connect()) {
      return SqlTables.read(connection, line);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(url, "sa", "");
  }

  @Override
  public void close() {}
}
