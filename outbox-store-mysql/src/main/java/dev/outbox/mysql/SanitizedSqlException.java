package dev.outbox.mysql;

import java.nio.channels.ClosedByInterruptException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An error that a driver reported, without the driver's text: that quotes values. It is the cause
 * of the exceptions that the store throws, with the driver's stack.
 */
final class SanitizedSqlException extends Exception {

  private static final long serialVersionUID = 1L;

  private static final int H2_IN_USE = 90020;
  private static final int UNKNOWN_DATABASE = 1049;
  private static final Set<Integer> LOGIN = Set.of(1045, 1698, 28000);

  /** Drivers check the size of a statement themselves, and say so by class alone. */
  private static final Set<String> TOO_LARGE =
      Set.of("MaxAllowedPacketException", "PacketTooBigException", "CJPacketTooBigException");

  private static final Pattern COLUMN =
      Pattern.compile("column (?:[`'\"]+\\w+[`'\"]+\\.)*[`'\"]+(\\w+)", Pattern.CASE_INSENSITIVE);

  /** The names of fields as callers know them, by column. */
  private static final Map<String, String> FIELDS =
      Map.ofEntries(
          Map.entry("sender", "from"),
          Map.entry("recipients", "recipients"),
          Map.entry("subject", "subject"),
          Map.entry("template", "template"),
          Map.entry("tags", "tags"),
          Map.entry("id_request", "requestId"),
          Map.entry("callback_url", "callbackUrl"),
          Map.entry("reason", "reason"),
          Map.entry("response", "response"),
          Map.entry("detail", "response"),
          Map.entry("results", "results"),
          Map.entry("payload", "content"),
          Map.entry("payload_file_path", "content"),
          Map.entry("composed", "composed message"),
          Map.entry("eml_file_path", "composed message"));

  private final int error;
  private final @Nullable String state;
  private final ErrorKind kind;
  private final @Nullable String field;

  private SanitizedSqlException(SQLException driver, ErrorKind kind) {
    super(
        "%s: SQL state %s, error %d"
            .formatted(
                driver.getClass().getSimpleName(), driver.getSQLState(), driver.getErrorCode()));
    setStackTrace(driver.getStackTrace());
    this.error = driver.getErrorCode();
    this.state = driver.getSQLState();
    this.kind = kind;
    this.field = kind == ErrorKind.REJECTED ? field(driver.getMessage()) : null;
  }

  /** Returns the driver's error among the causes of an exception; null if there is none. */
  static @Nullable SanitizedSqlException in(Throwable thrown) {
    List<SQLException> errors = new ArrayList<>();
    boolean interrupted = false;
    boolean tooLarge = false;
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      interrupted |= cause instanceof InterruptedException || isInterruptOfThisThread(cause);
      tooLarge |= TOO_LARGE.contains(cause.getClass().getSimpleName());
      // A failed batch and a pool give the real error as the next one.
      for (SQLException next = cause instanceof SQLException e ? e : null;
          next != null && errors.size() < 100;
          next = next.getNextException()) {
        errors.add(next);
      }
    }
    if (errors.isEmpty()) {
      return null;
    }
    SQLException most = mostSpecific(errors);
    return new SanitizedSqlException(
        most,
        interrupted ? ErrorKind.INTERRUPTED : tooLarge ? ErrorKind.REJECTED : ErrorKind.of(most));
  }

  /**
   * H2 closes its file when a thread is interrupted, and reports that interrupt to all other
   * threads too. The flag of the interrupted thread stays set.
   */
  private static boolean isInterruptOfThisThread(Throwable cause) {
    return cause instanceof ClosedByInterruptException && Thread.currentThread().isInterrupted();
  }

  /** A pool that cannot connect reports a timeout of its own, and the server's error behind it. */
  private static SQLException mostSpecific(List<SQLException> errors) {
    List<Predicate<SQLException>> preferences =
        List.of(
            each -> ErrorKind.of(each) == ErrorKind.DENIED,
            each -> each.getErrorCode() != 0 && ErrorKind.of(each) != ErrorKind.UNKNOWN,
            each -> ErrorKind.of(each) != ErrorKind.UNKNOWN,
            each -> each.getErrorCode() != 0);
    return preferences.stream()
        .flatMap(preference -> errors.stream().filter(preference).limit(1))
        .findFirst()
        .orElse(errors.get(0));
  }

  /** Takes the name of a column of ours out of a text, and nothing else. */
  private static @Nullable String field(@Nullable String text) {
    Matcher column = COLUMN.matcher(text == null ? "" : text);
    while (column.find()) {
      String field = FIELDS.get(column.group(1).toLowerCase(Locale.ROOT));
      if (field != null) {
        return field;
      }
    }
    return null;
  }

  ErrorKind kind() {
    return kind;
  }

  /** Returns whether the same may work in a moment. */
  boolean isPassing() {
    return kind == ErrorKind.TRANSIENT || isConnectionLost() || isDuplicate();
  }

  /** Returns whether it is unknown if the last statement took effect. */
  boolean isConnectionLost() {
    return kind == ErrorKind.CONNECTION_LOST;
  }

  /** Returns whether a row with that key exists. */
  boolean isDuplicate() {
    return kind == ErrorKind.DUPLICATE;
  }

  /** Returns whether the server refused to let us in at all. */
  boolean isLoginRefused() {
    return LOGIN.contains(error) || (kind == ErrorKind.DENIED && error == 0);
  }

  /** Returns whether the driver or the pool reported neither a state nor a number. */
  boolean isUnexplained() {
    return error == 0 && state == null;
  }

  /**
   * Returns the error in words.
   *
   * @param database the database, such as {@code the database shop at db:3306}
   */
  String describe(String database) {
    String words =
        switch (kind) {
          case DENIED -> "access to " + database + " was denied; check credentials and grants";
          case REJECTED -> (field == null ? "a value" : field) + " is rejected by " + database;
          case MISCONFIGURED ->
              error == UNKNOWN_DATABASE
                  ? database + " does not exist"
                  : "a table or column is missing in " + database + "; is it the store's database?";
          case CONNECTION_LOST ->
              error == H2_IN_USE
                  ? "its file is open in another process"
                  : isUnexplained() ? "no connection to " + database + " in time" : "";
          default -> "";
        };
    return words.isEmpty() ? getMessage() : words + " (" + getMessage() + ")";
  }

  @Override
  @SuppressWarnings("NullAway") // the constructor always gives one
  public String getMessage() {
    return super.getMessage();
  }
}
