package dev.outbox.mysql;

import java.sql.ResultSetMetaData;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/** The columns that the store needs, by table. */
final class SchemaValidator {

  static final Map<String, Set<String>> NEEDED =
      Map.of(
          "emails",
          list(EmailColumn.SHARED + ", " + EmailColumn.HOT + ", payload, composed, room"),
          "log",
          list(EmailColumn.SHARED),
          "contents",
          list("id, settled, payload, composed, payload_file_path, eml_file_path"),
          "statuses",
          list(
              "id, email_id, status, status_before, created_at, preparing, sending, generation,"
                  + " attempt, node, code, reason, detail"),
          "keys",
          list("key_hash, email_id, fingerprint"),
          "nodes",
          list("node, beat"));

  private SchemaValidator() {}

  private static Set<String> list(String names) {
    return Arrays.stream(names.split(",\\s*")).map(String::strip).collect(Collectors.toSet());
  }

  /** Returns the columns that a table has. */
  static Set<String> of(Handle handle, String table) {
    return handle
        .createQuery("SELECT * FROM " + table + " WHERE 1 = 0")
        .scanResultSet(
            (rows, context) -> {
              ResultSetMetaData data = rows.get().getMetaData();
              Set<String> names = new HashSet<>();
              for (int i = 1; i <= data.getColumnCount(); i++) {
                Stream.of(data.getColumnName(i))
                    .map(name -> name.toLowerCase(Locale.ROOT))
                    .forEach(names::add);
              }
              return names;
            });
  }
}
