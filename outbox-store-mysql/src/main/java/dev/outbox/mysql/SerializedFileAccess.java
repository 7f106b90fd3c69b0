package dev.outbox.mysql;

import dev.outbox.mysql.TransactionRunner.Work;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets one transaction after the other into an H2 database in a file, and all at once into any
 * other. While H2 writes a commit to its file, it takes its tables one by one as they are at that
 * moment, so that what other transactions change meanwhile gets there in part: after a kill,
 * commits that were answered are gone and half ones are there. (H2's issue 2080 says so; with four
 * threads and plain JDBC it takes a few kills.) Its commits wait for each other anyway.
 */
final class SerializedFileAccess {

  /** For a process may open one file in more than one store. */
  private static final ConcurrentMap<String, Lock> BY_PLACE = new ConcurrentHashMap<>();

  private final @Nullable Lock turn;

  private SerializedFileAccess(@Nullable Lock turn) {
    this.turn = turn;
  }

  /** Returns those of the database that a connection leads to. */
  static SerializedFileAccess of(Connection connection) throws SQLException {
    if (SqlDialect.of(connection) != SqlDialect.H2) {
      return new SerializedFileAccess(null);
    }
    String place = H2Settings.file(connection);
    return new SerializedFileAccess(
        place == null ? null : BY_PLACE.computeIfAbsent(place, any -> new ReentrantLock()));
  }

  /** Returns whether anybody ever has to wait. */
  boolean areTaken() {
    return turn != null;
  }

  /** Works when it is its turn. */
  <T> T take(Work<T> work) {
    if (turn == null) {
      return work.run();
    }
    turn.lock();
    try {
      return work.run();
    } finally {
      turn.unlock();
    }
  }
}
