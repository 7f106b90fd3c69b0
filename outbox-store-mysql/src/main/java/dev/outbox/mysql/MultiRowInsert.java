package dev.outbox.mysql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.jspecify.annotations.Nullable;

/**
 * An insert that writes many rows with one statement. A JDBC batch would be one statement for each
 * row with most drivers and settings, and the two tables that every email goes through are where
 * that counts. Immutable.
 */
final class MultiRowInsert {

  /** How many bytes one statement carries; no server refuses that. */
  private static final int MOST_BYTES = 1 << 20;

  private static final Pattern PARAMETER = Pattern.compile(":([a-z]\\w*)");

  private final String start;
  private final String row;
  private final String between;
  private final int mostRows;
  private final List<String> names = new ArrayList<>();

  /**
   * Makes one.
   *
   * @param start all that stands before the rows
   * @param row one row, with parameters such as {@code :id}
   * @param between what stands between two rows
   * @param mostRows how many rows one statement may have
   */
  MultiRowInsert(String start, String row, String between, int mostRows) {
    this.start = start;
    this.between = between;
    this.mostRows = mostRows;
    Matcher parameters = PARAMETER.matcher(row);
    while (parameters.find()) {
      names.add(parameters.group(1));
    }
    this.row = parameters.replaceAll("?");
  }

  /** Returns whether one statement can have more than one row here. */
  boolean isShared() {
    return mostRows > 1;
  }

  /** Writes rows in as few statements as their size allows. */
  <T> void execute(Handle handle, Iterable<T> rows, BiConsumer<RowValues, T> binding) {
    List<Row> group = new ArrayList<>();
    int bytes = 0;
    for (T each : rows) {
      Row values = new Row();
      binding.accept(values, each);
      if (!group.isEmpty() && (bytes + values.bytes > MOST_BYTES || group.size() == mostRows)) {
        execute(handle, group);
        group.clear();
        bytes = 0;
      }
      group.add(values);
      bytes += values.bytes;
    }
    if (!group.isEmpty()) {
      execute(handle, group);
    }
  }

  private void execute(Handle handle, List<Row> rows) {
    Connection connection = handle.getConnection();
    String text = start + " " + String.join(between, Collections.nCopies(rows.size(), row));
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      int position = 1;
      for (Row values : rows) {
        for (String name : names) {
          set(statement, position++, values.known.get(name));
        }
      }
      statement.executeUpdate();
    } catch (SQLException e) {
      throw new UnableToExecuteStatementException("could not insert rows", e, null);
    }
  }

  private static void set(PreparedStatement statement, int position, @Nullable Object value)
      throws SQLException {
    if (value == null) {
      statement.setNull(position, Types.NULL);
    } else if (value instanceof String text) {
      statement.setString(position, text);
    } else if (value instanceof byte[] bytes) {
      statement.setBytes(position, bytes);
    } else if (value instanceof Integer number) {
      statement.setInt(position, number);
    } else if (value instanceof Long number) {
      statement.setLong(position, number);
    } else if (value instanceof Instant time) {
      statement.setObject(position, Time.column(time));
    } else {
      statement.setObject(position, value);
    }
  }

  /** One row's values until it is written. */
  private static final class Row implements RowValues {
    private final Map<String, @Nullable Object> known = new HashMap<>(64);
    private int bytes;

    @Override
    public RowValues bind(String name, @Nullable Object value) {
      known.put(name, value);
      bytes += value instanceof byte[] content ? content.length : 0;
      bytes += value instanceof String text ? text.length() : 0;
      return this;
    }
  }
}
