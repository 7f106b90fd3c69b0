package dev.outbox.mysql;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.store.StoreException;
import dev.outbox.store.StoreException.Reason;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.StatementExceptions;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jspecify.annotations.Nullable;

/**
 * The connection to the database: transactions at READ COMMITTED, one at a time where the database
 * needs that, tried again while the trouble may pass, and exceptions that quote nothing.
 */
final class TransactionRunner implements AutoCloseable {

  /** Below this, shrinking a file costs more than it saves. */
  private static final long SMALL_FILE = 64 << 20;

  /** Counts for the next transaction of a connection alone, which here is the next statement. */
  private static final String UNCOMMITTED_ONCE = "SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED";

  private final DataSource source;
  private final SqlExceptionTranslator failures;
  private final Jdbi jdbi;
  private final boolean setsIsolation;
  private final SerializedFileAccess fileAccess;
  private final @Nullable HikariDataSource pool;
  private final @Nullable H2File file;
  private volatile boolean closed;

  private TransactionRunner(
      DataSource source,
      String name,
      Jdbi jdbi,
      boolean setsIsolation,
      SerializedFileAccess fileAccess,
      @Nullable HikariDataSource pool) {
    this.source = source;
    this.failures = new SqlExceptionTranslator(source, name);
    this.jdbi = jdbi;
    this.setsIsolation = setsIsolation;
    this.fileAccess = fileAccess;
    this.pool = pool;
    this.file = pool != null && fileAccess.areTaken() ? new H2File(pool, SMALL_FILE) : null;
  }

  /**
   * Opens a database.
   *
   * @param pool what to close in the end; null if the connections are the host's
   */
  static TransactionRunner open(DataSource source, @Nullable HikariDataSource pool) {
    try (Connection connection = source.getConnection()) {
      boolean readCommitted =
          connection.getTransactionIsolation() == Connection.TRANSACTION_READ_COMMITTED;
      Jdbi jdbi =
          connection.getAutoCommit()
              ? Jdbi.create(source)
              : Jdbi.create(new AutoCommitConnections(source));
      String name = DatabaseName.of(connection.getMetaData().getURL());
      return new TransactionRunner(
          source, name, quiet(jdbi), !readCommitted, SerializedFileAccess.of(connection), pool);
    } catch (SQLException e) {
      throw SqlExceptionTranslator.unconnected(e, DatabaseName.of(source));
    }
  }

  /** Keeps bound values out of exceptions, and leaves the host's own handles as they are. */
  static Jdbi quiet(Jdbi jdbi) {
    jdbi.getConfig(StatementExceptions.class)
        .setMessageRendering(StatementExceptions.MessageRendering.NONE);
    jdbi.getConfig(SqlStatements.class).setUnusedBindingAllowed(true);
    return jdbi;
  }

  /** Runs statements that each stand for themselves and may be repeated. */
  <T> T run(String what, Function<Handle, T> work) {
    return retried(what, Repeating.FREELY, Reason.UNAVAILABLE, false, again -> withHandle(work));
  }

  /** Runs one statement that changes emails and may be repeated. */
  <T> T change(String what, Function<Handle, T> work) {
    return retried(what, Repeating.FREELY, Reason.REJECTED_DATA, false, again -> withHandle(work));
  }

  /**
   * Runs one query that takes things as they stand, committed or not, and so need not look anything
   * up in older versions of rows: good for a hint, never for a decision.
   */
  <T> T readUncommitted(String what, Function<Handle, T> query) {
    return retried(
        what,
        Repeating.FREELY,
        Reason.UNAVAILABLE,
        false,
        again ->
            fileAccess.take(
                () ->
                    jdbi.withHandle(
                        handle -> {
                          handle.execute(UNCOMMITTED_ONCE);
                          return query.apply(handle);
                        })));
  }

  /**
   * Runs a statement that checks first whether it was done before, if that is possible.
   *
   * @param before whether an earlier call may have done it
   */
  <T> T runOnce(String what, boolean before, Attempt<T> work) {
    return retried(
        what,
        Repeating.LOOKING,
        Reason.REJECTED_DATA,
        before,
        again -> withHandle(handle -> work.run(handle, again)));
  }

  /**
   * Runs a transaction that checks first whether it was done before, if that is possible.
   *
   * @param before whether an earlier call may have done it
   */
  <T> T transactOnce(String what, boolean before, Attempt<T> work) {
    return retried(
        what,
        Repeating.LOOKING,
        Reason.REJECTED_DATA,
        before,
        again -> inTransaction(handle -> work.run(handle, again)));
  }

  /** Runs a transaction that finds out for itself if it is repeated after a lost answer. */
  <T> T transact(String what, Function<Handle, T> work) {
    return retried(
        what,
        Repeating.UNLESS_DUPLICATE,
        Reason.REJECTED_DATA,
        false,
        again -> inTransaction(work));
  }

  /**
   * Runs a transaction that must not be repeated blindly: if the connection is lost, the caller has
   * to know.
   */
  <T> T transactUnlessLost(String what, Function<Handle, T> work) {
    return retried(
        what, Repeating.UNLESS_LOST, Reason.REJECTED_DATA, false, again -> inTransaction(work));
  }

  /** Without a transaction the host's isolation would count, and single statements lock more. */
  private <T> T withHandle(Function<Handle, T> work) {
    return setsIsolation
        ? inTransaction(work)
        : fileAccess.take(() -> jdbi.withHandle(work::apply));
  }

  private <T> T inTransaction(Function<Handle, T> work) {
    return fileAccess.take(
        () ->
            setsIsolation
                ? jdbi.inTransaction(TransactionIsolationLevel.READ_COMMITTED, work::apply)
                : jdbi.inTransaction(work::apply));
  }

  /**
   * Runs work until it succeeds, or fails with an error that does not pass.
   *
   * @param unknown the reason of an error that {@link ErrorKind} does not know
   */
  private <T> T retried(
      String what, Repeating repeating, Reason unknown, boolean before, Function<Boolean, T> work) {
    boolean again = before;
    for (int tries = 1; ; tries++) {
      try {
        T result = work.apply(again);
        failures.succeeded();
        return result;
      } catch (StoreException e) {
        throw e;
      } catch (RuntimeException e) {
        SanitizedSqlException trouble = failures.in(e);
        if (trouble == null) {
          throw e;
        }
        if (isClosed()) {
          throw new StoreException(
              Reason.UNAVAILABLE, "could not " + what + ": the store is closed", trouble);
        }
        boolean foundItself = repeating == Repeating.LOOKING && trouble.isDuplicate() && !again;
        if (!foundItself && !(repeating.allows(trouble) && StoreRetry.pause(tries))) {
          throw failures.failed(what, trouble, unknown);
        }
        again = true;
      }
    }
  }

  private boolean isClosed() {
    return closed || (source instanceof HikariDataSource hosts && hosts.isClosed());
  }

  /** Runs statements in a transaction of the host's, where nothing is ever repeated. */
  <T> T joined(String what, Work<T> work) {
    try {
      return work.run();
    } catch (StoreException e) {
      throw e;
    } catch (RuntimeException e) {
      SanitizedSqlException trouble = SanitizedSqlException.in(e);
      if (trouble == null) {
        throw e;
      }
      throw trouble.isPassing() && !Thread.currentThread().isInterrupted()
          ? new StoreException(
              Reason.RETRY_TRANSACTION,
              "could not " + what + ": roll back and retry your whole transaction",
              trouble)
          : failures.failed(what, trouble, Reason.REJECTED_DATA);
    }
  }

  /** Gives back what space the database wastes, where nobody else does that. */
  void tidy() {
    if (file != null) {
      fileAccess.take(
          () -> {
            file.shrink();
            return true;
          });
    }
  }

  @Override
  public void close() {
    closed = pool != null;
    if (pool != null) {
      pool.close();
    }
  }

  /** Something to be done with the database. */
  interface Work<T> {
    T run();
  }

  /** Something to be done with the database that may have been done before. */
  interface Attempt<T> {

    /**
     * Does it.
     *
     * @param again whether an earlier try may have taken effect without our knowing
     */
    T run(Handle handle, boolean again);
  }

  /** What may be repeated. */
  private enum Repeating {
    /** Everything that will pass. */
    FREELY,
    /** Everything that will pass; what turns out to be there already is looked at first. */
    LOOKING,
    /** Everything that will pass; on rows that are locked, a duplicate key does not. */
    UNLESS_DUPLICATE,
    /** What was surely rolled back. */
    UNLESS_LOST;

    boolean allows(SanitizedSqlException trouble) {
      return trouble.isPassing()
          && (this != UNLESS_LOST || !trouble.isConnectionLost())
          && (this != UNLESS_DUPLICATE || !trouble.isDuplicate());
    }
  }
}
