package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.store.StoreException.Reason;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorKindTest {

  private static SanitizedSqlException trouble(Throwable thrown) {
    return Objects.requireNonNull(SanitizedSqlException.in(thrown));
  }

  private static SQLException error(@Nullable String state, int number) {
    return new SQLException("secret", state, number);
  }

  @ParameterizedTest
  @CsvSource({
    "HY000, 1040, UNAVAILABLE", // too many connections
    "42000, 1203, UNAVAILABLE", // too many connections of this user
    "42000, 1226, UNAVAILABLE", // resources of this user used up
    "HY000, 1205, UNAVAILABLE", // lock wait timeout
    "40001, 1213, UNAVAILABLE", // deadlock
    "HY000, 1206, UNAVAILABLE", // lock table full
    "HY000, 1689, UNAVAILABLE", // lock wait ended by a pending exclusive lock
    "HY000, 1712, UNAVAILABLE", // index corrupted
    "HY000, 1021, UNAVAILABLE", // disk full
    "HY000, 1114, UNAVAILABLE", // table full
    "HY000, 1030, UNAVAILABLE", // error of the storage engine, such as 28: no space
    "HY000, 3, UNAVAILABLE", // error writing file
    "HY000, 20, UNAVAILABLE", // disk full; waiting
    "HY000, 1290, UNAVAILABLE", // --read-only
    "HY000, 1836, UNAVAILABLE", // read-only mode
    "25006, 1792, UNAVAILABLE", // read-only transaction
    "28000, 1045, UNAVAILABLE", // access denied
    "42000, 1044, UNAVAILABLE", // access to the database denied
    "42000, 1142, UNAVAILABLE", // statement denied on this table
    "08S01, 1053, UNAVAILABLE", // server shutdown
    "70100, 1927, UNAVAILABLE", // connection was killed
    "70100, 1317, UNAVAILABLE", // query was killed
    "70100, 1969, UNAVAILABLE", // max_statement_time
    "HY000, 3024, UNAVAILABLE", // max_execution_time
    "08S01, 0, UNAVAILABLE",
    "42S02, 1146, MISCONFIGURED", // table
    "42S22, 1054, MISCONFIGURED", // column
    "42000, 1049, MISCONFIGURED", // database
    "42000, 1064, MISCONFIGURED", // syntax
    "HY000, 1364, MISCONFIGURED", // a column of somebody else, without default
    "22001, 1406, REJECTED_DATA", // too long
    "22003, 1264, REJECTED_DATA", // out of range
    "HY000, 1366, REJECTED_DATA", // not in the column's character set
    "08S01, 1153, REJECTED_DATA", // statement larger than max_allowed_packet
    "42000, 1118, REJECTED_DATA", // row too large
    "23000, 1048, REJECTED_DATA", // null
    "23000, 1062, REJECTED_DATA", // duplicate, after the retries
    "HY000, 3819, REJECTED_DATA", // check constraint
    "22001, 22001, REJECTED_DATA", // H2: too long
    "23505, 23505, REJECTED_DATA", // H2: duplicate
    "42S02, 42102, MISCONFIGURED", // H2: table
    "42S22, 42122, MISCONFIGURED", // H2: column
    "28000, 28000, UNAVAILABLE", // H2: access denied
    "HYT00, 50200, UNAVAILABLE", // H2: lock timeout
    "90097, 90097, UNAVAILABLE", // H2: read-only
    "90100, 90100, UNAVAILABLE", // H2: no disk space
    "90028, 90028, UNAVAILABLE", // H2: file error
    "90098, 90098, UNAVAILABLE", // H2: closed
    "57014, 57014, UNAVAILABLE", // H2: statement cancelled
  })
  void everyErrorHasAReason(String state, int number, Reason reason) {
    assertThat(trouble(error(state, number)).kind().reason(Reason.INTERRUPTED)).isEqualTo(reason);
  }

  @Test
  void aFullLockTableIsTriedAgain() {
    assertThat(trouble(error("HY000", 1206)).isPassing()).isTrue();
    assertThat(trouble(error("HY000", 1689)).isPassing()).isTrue();
  }

  /** Proxies and the server use it for all kinds of errors; the caller's split finds out which. */
  @Test
  void anUnknownErrorOfTheServerIsLeftToTheCall() {
    assertThat(trouble(error("HY000", 1105)).kind()).isEqualTo(ErrorKind.UNKNOWN);
  }

  @Test
  void whatIsNotKnownIsLeftToTheCall() {
    assertThat(trouble(error("HY000", 9999)).kind().reason(Reason.REJECTED_DATA))
        .isEqualTo(Reason.REJECTED_DATA);
    assertThat(trouble(error("HY000", 9999)).kind().reason(Reason.UNAVAILABLE))
        .isEqualTo(Reason.UNAVAILABLE);
  }

  @Test
  void theServersRefusalIsFoundBehindThePoolsTimeout() {
    SQLTransientConnectionException pool = new SQLTransientConnectionException("timeout");
    pool.setNextException(error("28000", 1045));

    assertThat(trouble(pool).kind()).isEqualTo(ErrorKind.DENIED);
    assertThat(trouble(new IllegalStateException(pool)).kind()).isEqualTo(ErrorKind.DENIED);
    assertThat(trouble(new SQLTransientConnectionException("timeout", "28000", 1045)).kind())
        .isEqualTo(ErrorKind.DENIED);
  }

  @Test
  void anInterruptIsFoundAmongTheCauses() {
    assertThat(trouble(new SQLException("x", new InterruptedException())).kind())
        .isEqualTo(ErrorKind.INTERRUPTED);
    assertThat(trouble(new SQLException("x", new IOException())).kind())
        .isEqualTo(ErrorKind.UNKNOWN);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "(conn=4) Data too long for column 'subject' at row 1 | subject",
        "Data too long for column 'id_request' at row 3 | requestId",
        "Incorrect string value: 'secret' for column `outbox`.`outbox_emails`.`sender` at row 1"
            + " | from",
        "Value too long for column \"CALLBACK_URL CHARACTER VARYING(10)\": \"secret\" | callbackUrl",
        "Column 'recipients' cannot be null | recipients",
        "Data too long for column 'secret' at row 1 | a value",
        "for column secret | a value",
      })
  void theFieldIsNamedAndNothingElse(String text, String field) {
    SanitizedSqlException trouble = trouble(new SQLException(text, "22001", 1406));

    assertThat(trouble.describe("the database"))
        .isEqualTo(
            field + " is rejected by the database (SQLException: SQL state 22001, error 1406)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "jdbc:mariadb://db.example:3306/shop?user=me&password=secret"
            + " | the database shop at db.example:3306",
        "jdbc:mysql://db/shop | the database shop at db",
        "jdbc:mariadb:replication://a:1,b:2/shop | the database shop at a:1,b:2",
        "jdbc:mysql://[::1]:3306/ | the database at [::1]:3306",
        "jdbc:mysql://me:secret@db/shop | the database",
        "jdbc:mysql://me:se/cret@db/shop | the database",
        "jdbc:mysql://db/shop?password=a@secret | the database",
        "jdbc:mysql://address=(host=db)(user=me)(password=secret)/shop | the database",
        "jdbc:h2:mem:secret | the database",
      })
  void aDatabaseIsNamedWithoutItsCredentials(String url, String name) {
    assertThat(DatabaseName.of(url)).isEqualTo(name);
  }
}
