package dev.outbox.dynamodb;

import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a table may be called. */
final class TableNames {

  private static final Pattern NAME = Pattern.compile("[\\w.-]{3,255}");

  private TableNames() {}

  /** Returns a name that is all right; refuses others by the name of their field. */
  static String checked(String field, @Nullable String name) {
    if (name == null || !NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          field + ": want 3 to 255 letters, digits and . _ -, is " + name);
    }
    return name;
  }

  /** Refuses one table for both: emails and log have other keys. */
  static void checkTwo(String table, String logTable) {
    if (Objects.equals(table, logTable)) {
      throw new IllegalArgumentException("logTable: want another table than table, is " + logTable);
    }
  }
}
