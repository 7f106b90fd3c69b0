package dev.outbox.mysql;

import dev.outbox.store.StoreException;
import dev.outbox.store.StoreException.Reason;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Makes the store's exceptions of the errors of one database, and finds out why a connection was
 * lost. Safe for many threads.
 */
final class SqlExceptionTranslator {

  private final DataSource source;
  private final String name;

  /** The last refusal to let us in, until a call succeeds. A pool gives it to one caller only. */
  private volatile @Nullable SanitizedSqlException loginRefused;

  /**
   * Creates one for a database.
   *
   * @param name the database in messages, as {@link DatabaseName} gives it
   */
  SqlExceptionTranslator(DataSource source, String name) {
    this.source = source;
    this.name = name;
  }

  /** Notes that the database lets us in. */
  void succeeded() {
    if (loginRefused != null) {
      loginRefused = null;
    }
  }

  /**
   * Returns the error of the database among the causes of an exception; null if there is none. A
   * pool that timed out without a reason gave the reason to another caller.
   */
  @Nullable SanitizedSqlException in(Throwable thrown) {
    SanitizedSqlException trouble = SanitizedSqlException.in(thrown);
    if (trouble == null) {
      return null;
    }
    if (trouble.isLoginRefused()) {
      loginRefused = trouble;
    }
    SanitizedSqlException refused = loginRefused;
    return refused != null && trouble.isConnectionLost() && trouble.isUnexplained()
        ? refused
        : trouble;
  }

  /**
   * Returns the exception for a call that failed.
   *
   * @param unknown the reason of an error that {@link ErrorKind} does not know
   */
  StoreException failed(String what, SanitizedSqlException trouble, Reason unknown) {
    SanitizedSqlException cause =
        trouble.isConnectionLost() && !Thread.currentThread().isInterrupted()
            ? probed(trouble)
            : trouble;
    return failed("could not " + what, cause, name, unknown);
  }

  /** Asks for a connection once more: if that is refused, it is why the last one was lost. */
  private SanitizedSqlException probed(SanitizedSqlException lost) {
    try {
      source.getConnection().close();
      return lost;
    } catch (SQLException e) {
      SanitizedSqlException now = in(e);
      return now != null && now.kind() == ErrorKind.DENIED ? now : lost;
    }
  }

  /** Returns the exception for a database that could not be opened. */
  static StoreException unconnected(Throwable thrown, String name) {
    SanitizedSqlException trouble = SanitizedSqlException.in(thrown);
    return trouble == null
        ? new StoreException(Reason.UNAVAILABLE, "could not connect to " + name, null)
        : failed("could not connect to " + name, trouble, name, Reason.UNAVAILABLE);
  }

  private static StoreException failed(
      String what, SanitizedSqlException trouble, String name, Reason unknown) {
    if (isInterrupt(trouble)) {
      // An InterruptedException has cleared the flag; in all other cases it is still set.
      Thread.currentThread().interrupt();
      return new StoreException(
          Reason.INTERRUPTED, what + ": the calling thread was interrupted", trouble);
    }
    return new StoreException(
        trouble.kind().reason(unknown), what + ": " + trouble.describe(name), trouble);
  }

  /** On an interrupted thread, an error that may pass is not waited for. */
  private static boolean isInterrupt(SanitizedSqlException trouble) {
    return trouble.kind() == ErrorKind.INTERRUPTED
        || (Thread.currentThread().isInterrupted()
            && (trouble.isPassing() || trouble.isUnexplained()));
  }
}
