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
 * An insert that writes many rows with one request: as a JDBC batch where that is one, and as one
 * statement with many rows where a batch would be a statement for each. The two tables that every
 * email goes through are where that counts. Immutable.
 */
final class MultiRowInsert {

  /** How many bytes one statement carries; no server refuses that. */
  private static final int MOST_BYTES = 1 << 20;

  private static final int MOST_ROWS = 500;

  private static final Pattern PARAMETER = Pattern.compile(":([a-z]\\w*)");

  private final String start;
  private final boolean batches;

  /** A row's text before its first parameter, between two of them, and after the last. */
  private final List<String> pieces;

  /** Which value each parameter of a row is, in the statement's order. */
  private final int[] slots;

  private final Map<String, Integer> slotOf = new HashMap<>();

  /**
   * Makes one.
   *
   * @param start all that stands before the rows
   * @param row one row, with parameters such as {@code :id}
   * @param batches whether a JDBC batch is one request
   */
  MultiRowInsert(String start, String row, boolean batches) {
    this.start = start;
    this.batches = batches;
    Matcher parameters = PARAMETER.matcher(row);
    this.slots =
        parameters
            .results()
            .mapToInt(found -> slotOf.computeIfAbsent(found.group(1), name -> slotOf.size()))
            .toArray();
    this.pieces = List.of(PARAMETER.split(row, -1));
  }

  /** Writes rows in as few requests as their size allows. */
  <T> void execute(Handle handle, Iterable<T> rows, BiConsumer<RowParameters, T> binding) {
    List<Row> group = new ArrayList<>();
    int bytes = 0;
    for (T each : rows) {
      Row values = new Row();
      binding.accept(values, each);
      if (!group.isEmpty() && (bytes + values.bytes > MOST_BYTES || group.size() == MOST_ROWS)) {
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
    boolean batch = batches && rows.size() > 1;
    int rowsInText = batch ? 1 : rows.size();
    boolean[] used = used(rows);
    String text = start + " " + String.join(", ", Collections.nCopies(rowsInText, text(used)));
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      int position = 1;
      for (Row values : rows) {
        for (int slot : slots) {
          if (used[slot]) {
            set(statement, position++, values.known[slot]);
          }
        }
        if (batch) {
          statement.addBatch();
          position = 1;
        }
      }
      if (batch) {
        statement.executeBatch();
      } else {
        statement.executeUpdate();
      }
    } catch (SQLException e) {
      throw new UnableToExecuteStatementException("could not insert rows", e, null);
    }
  }

  /** Returns which values any of the rows has; drivers take as long to bind a null as a number. */
  private boolean[] used(List<Row> rows) {
    boolean[] used = new boolean[slotOf.size()];
    for (Row row : rows) {
      for (int slot = 0; slot < used.length; slot++) {
        used[slot] |= row.known[slot] != null;
      }
    }
    return used;
  }

  /** Returns a row's text, with NULL in place of what no row has. */
  private String text(boolean[] used) {
    StringBuilder text = new StringBuilder(pieces.get(0));
    for (int i = 0; i < slots.length; i++) {
      text.append(used[slots[i]] ? "?" : "NULL").append(pieces.get(i + 1));
    }
    return text.toString();
  }

  private void set(PreparedStatement statement, int position, @Nullable Object value)
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
      if (batches) {
        statement.setObject(position, UtcTimestamps.column(time));
      } else {
        statement.setString(position, UtcTimestamps.text(time));
      }
    } else {
      statement.setObject(position, value);
    }
  }

  /** One row's values until it is written. */
  private final class Row implements RowParameters {
    private final @Nullable Object[] known = new @Nullable Object[slotOf.size()];
    private int bytes;

    @Override
    public RowParameters bind(String name, @Nullable Object value) {
      Integer slot = slotOf.get(name);
      if (slot == null) {
        return this;
      }
      known[slot] = value;
      bytes += value instanceof byte[] content ? content.length : 0;
      bytes += value instanceof String text ? text.length() : 0;
      return this;
    }
  }
}
