package dev.outbox.mysql;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a driver reported, without its words: they quote values. It is the cause of what the store
 * throws, with the driver's stack.
 */
final class SqlTrouble extends Exception {

  private static final long serialVersionUID = 1L;

  /** Lock wait timeout, deadlock, too many connections (2), changed since the snapshot. */
  private static final Set<Integer> MYSQL_PASSING = Set.of(1205, 1213, 1040, 1203, 1020);

  /** Deadlock, lock timeout, concurrent update of a row. */
  private static final Set<Integer> H2_PASSING = Set.of(40001, 50200, 90131);

  private static final int MYSQL_DUPLICATE = 1062;
  private static final int H2_DUPLICATE = 23505;
  private static final int H2_IN_USE = 90020;

  private final int error;
  private final String state;
  private final boolean connectionLost;
  private final boolean passing;
  private final boolean duplicate;

  private SqlTrouble(SQLException driver) {
    super(
        "%s: SQL state %s, error %d"
            .formatted(
                driver.getClass().getSimpleName(), driver.getSQLState(), driver.getErrorCode()));
    setStackTrace(driver.getStackTrace());
    this.error = driver.getErrorCode();
    this.state = String.valueOf(driver.getSQLState());
    this.connectionLost =
        driver instanceof SQLTransientConnectionException
            || driver instanceof SQLNonTransientConnectionException
            || driver instanceof SQLRecoverableException
            || state.startsWith("08");
    this.duplicate = error == MYSQL_DUPLICATE || error == H2_DUPLICATE;
    // Who was overtaken by the same insert finds it at the next try.
    this.passing =
        connectionLost
            || duplicate
            || MYSQL_PASSING.contains(error)
            || H2_PASSING.contains(error)
            || state.equals("40001");
  }

  /** Finds what the driver said in what was thrown; null if it was not the driver. */
  static @Nullable SqlTrouble in(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException driver) {
        SQLException last = driver;
        // A failed batch tells in its chain what was wrong.
        while (last.getErrorCode() == 0 && last.getNextException() != null) {
          last = last.getNextException();
        }
        return new SqlTrouble(last);
      }
    }
    return null;
  }

  /** Returns whether the same may work in a moment. */
  boolean isPassing() {
    return passing;
  }

  /** Returns whether it is unknown if the last statement took effect. */
  boolean isConnectionLost() {
    return connectionLost;
  }

  /** Returns what the host may have to mend, as the end of a sentence; empty if that is unclear. */
  String hint() {
    if (error == H2_IN_USE) {
      return ": its file is open in another process";
    }
    if (state.startsWith("28")) {
      return ": user or password was refused";
    }
    if (state.startsWith("42S")) {
      return ": a table is missing there; is it the store's database?";
    }
    return "";
  }

  /** Returns whether a row with that key exists. */
  boolean isDuplicate() {
    return duplicate;
  }
}
