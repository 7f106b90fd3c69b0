package dev.outbox.mysql;

import dev.outbox.store.StoreException.Reason;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.sql.SQLTransientException;
import java.util.Set;

/**
 * What an error of the database means for the caller. Errors are classified by their number first,
 * then by SQL state, then by the class of the driver's exception: MySQL reports a statement that is
 * too large (1153) with the state of a lost connection, and a row that is too large (1118) with the
 * state of a syntax error. H2's numbers have five digits, so that one table serves all servers.
 */
enum ErrorKind {
  /** The calling thread was interrupted. */
  INTERRUPTED,
  /** User, password or grants were refused. */
  DENIED,
  /** The connection is lost, and it is unknown whether the last statement took effect. */
  CONNECTION_LOST,
  /** A lock conflict, a timeout or an overloaded server: the same may work in a moment. */
  TRANSIENT,
  /** A row with that key exists. */
  DUPLICATE,
  /** The server is full, read-only or damaged. */
  UNAVAILABLE,
  /** A table, a column or the database is missing, or the server does not know our SQL. */
  MISCONFIGURED,
  /** The server rejects a value, or a statement because of its size. */
  REJECTED,
  /** Everything else. */
  UNKNOWN;

  private static final Set<Integer> DENIED_NUMBERS =
      Set.of(1044, 1045, 1130, 1142, 1143, 1227, 1370, 1698, 1820, 1862, 3118, 4151, 90096);

  /** Among them: connections or resources of a user used up, statement cancelled or timed out. */
  private static final Set<Integer> TRANSIENT_NUMBERS =
      Set.of(
          1020, 1037, 1038, 1040, 1041, 1135, 1203, 1205, 1206, 1213, 1226, 1297, 1317, 1412, 1461,
          1615, 1637, 1689, 1969, 3024, 3101, 3572, 40001, 50200, 57014, 90131);

  /** The server shuts down, or somebody has killed the connection. */
  private static final Set<Integer> CONNECTION_LOST_NUMBERS = Set.of(1053, 1927, 3169, 4031);

  private static final Set<Integer> DUPLICATE_NUMBERS = Set.of(1062, 1586, 23505);

  /** Disk, file or tablespace full, damaged or missing; server, table or transaction read-only. */
  private static final Set<Integer> UNAVAILABLE_NUMBERS =
      Set.of(
          1015, 1016, 1021, 1023, 1024, 1026, 1030, 1034, 1035, 1036, 1114, 1129, 1180, 1181, 1194,
          1195, 1290, 1712, 1792, 1812, 1814, 1836, 1877, 1878, 3100, 3168, 90028, 90030, 90031,
          90097, 90098, 90100, 90108);

  /** Errors of the server's file functions, such as 3 (error writing file) and 20 (disk full). */
  private static final int LAST_FILE_ERROR = 99;

  private static final Set<Integer> MISCONFIGURED_NUMBERS =
      Set.of(1046, 1049, 1136, 1364, 90013, 90079, 90146);

  /** Among them: row or statement too large, a text that the column's character set lacks. */
  private static final Set<Integer> REJECTED_NUMBERS =
      Set.of(
          1048, 1118, 1153, 1162, 1264, 1265, 1292, 1300, 1301, 1366, 1406, 1690, 1977, 3819, 3988,
          4025);

  /** Classifies what a driver reported. */
  static ErrorKind of(SQLException driver) {
    ErrorKind byNumber = ofNumber(driver.getErrorCode());
    if (byNumber != UNKNOWN) {
      return byNumber;
    }
    String state = driver.getSQLState();
    ErrorKind byState = state == null ? UNKNOWN : ofState(state);
    return byState == UNKNOWN ? ofClass(driver) : byState;
  }

  private static ErrorKind ofNumber(int number) {
    if (DENIED_NUMBERS.contains(number)) {
      return DENIED;
    }
    if (TRANSIENT_NUMBERS.contains(number)) {
      return TRANSIENT;
    }
    if (CONNECTION_LOST_NUMBERS.contains(number)) {
      return CONNECTION_LOST;
    }
    if (DUPLICATE_NUMBERS.contains(number)) {
      return DUPLICATE;
    }
    if (UNAVAILABLE_NUMBERS.contains(number) || (number > 0 && number <= LAST_FILE_ERROR)) {
      return UNAVAILABLE;
    }
    if (MISCONFIGURED_NUMBERS.contains(number)) {
      return MISCONFIGURED;
    }
    return REJECTED_NUMBERS.contains(number) ? REJECTED : UNKNOWN;
  }

  private static ErrorKind ofState(String state) {
    return switch (state.substring(0, Math.min(2, state.length()))) {
      case "08" -> CONNECTION_LOST;
      case "28" -> DENIED;
      case "40" -> TRANSIENT;
      case "53", "57", "58" -> UNAVAILABLE;
      case "22", "23" -> REJECTED;
      case "3D", "3F", "42" -> MISCONFIGURED;
      default -> UNKNOWN;
    };
  }

  private static ErrorKind ofClass(SQLException driver) {
    if (driver instanceof SQLTransientConnectionException
        || driver instanceof SQLNonTransientConnectionException
        || driver instanceof SQLRecoverableException) {
      return CONNECTION_LOST;
    }
    if (driver instanceof SQLTransientException) {
      return TRANSIENT;
    }
    return driver instanceof SQLDataException
            || driver instanceof SQLIntegrityConstraintViolationException
        ? REJECTED
        : UNKNOWN;
  }

  /**
   * Returns what the caller can do.
   *
   * @param unknown the reason of an error that is not in these tables
   */
  Reason reason(Reason unknown) {
    return switch (this) {
      case INTERRUPTED -> Reason.INTERRUPTED;
      case DENIED, CONNECTION_LOST, TRANSIENT, UNAVAILABLE -> Reason.UNAVAILABLE;
      case MISCONFIGURED -> Reason.MISCONFIGURED;
      case REJECTED, DUPLICATE -> Reason.REJECTED_DATA;
      case UNKNOWN -> unknown;
    };
  }
}
