package dev.outbox.mysql;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jdbi.v3.core.ConnectionFactory;

/**
 * Connections of a pool that has auto-commit off, with auto-commit on while the store has them.
 * Without it Jdbi takes each connection for one with an open transaction, and commits nothing.
 */
record AutoCommitConnections(DataSource source) implements ConnectionFactory {

  @Override
  public Connection openConnection() throws SQLException {
    Connection connection = source.getConnection();
    try {
      connection.setAutoCommit(true);
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  @Override
  public void closeConnection(Connection connection) throws SQLException {
    try {
      connection.setAutoCommit(false);
    } finally {
      connection.close();
    }
  }
}
