package dev.outbox.verification.chaos;

import dev.outbox.email.State;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads the tables of a line by plain SQL. */
final class SqlTables {

  private static final String EMAILS =
      """
      SELECT id, status, code, generation, attempts, reaps, tries, recipients, subject,
        callback_url, key_hash, %s
      FROM %s
      """;

  private SqlTables() {}

  static Tables read(Connection connection, Line line) throws SQLException {
    List<EmailFacts> emails = new ArrayList<>();
    try (Statement plain = connection.createStatement()) {
      String hot =
          "due IS NOT NULL OR owner IS NOT NULL AS waits,"
              + " payload IS NOT NULL OR payload_file_path IS NOT NULL AS content";
      try (ResultSet row = plain.executeQuery(EMAILS.formatted(hot, line.prefix() + "emails"))) {
        while (row.next()) {
          emails.add(facts(row, false));
        }
      }
      String log = "0 AS waits, 0 AS content";
      try (ResultSet row = plain.executeQuery(EMAILS.formatted(log, line.prefix() + "log"))) {
        while (row.next()) {
          emails.add(facts(row, true));
        }
      }
      return new Tables(emails, history(plain, line), keys(plain, line));
    }
  }

  /** Counts what is not at its end yet. */
  static long pending(Connection connection, Line line) throws SQLException {
    try (Statement plain = connection.createStatement();
        ResultSet row =
            plain.executeQuery(
                "SELECT COUNT(*) FROM "
                    + line.prefix()
                    + "emails WHERE due IS NOT NULL OR owner IS NOT NULL"
                    + " OR status IN ('ACCEPTED', 'INTAKING', 'READY', 'PROCESSING', 'SENT')")) {
      row.next();
      return row.getLong(1);
    }
  }

  private static EmailFacts facts(ResultSet row, boolean archived) throws SQLException {
    return new EmailFacts(
        id(row, "id"),
        archived,
        state(row.getString("status")),
        row.getString("code"),
        new EmailFacts.Counters(
            row.getInt("generation"),
            row.getInt("attempts"),
            row.getInt("reaps"),
            row.getInt("tries")),
        row.getBoolean("waits"),
        row.getString("recipients"),
        row.getString("subject"),
        row.getBoolean("content"),
        row.getString("callback_url"),
        hex(row.getBytes("key_hash")));
  }

  private static Map<String, List<HistoryStep>> history(Statement plain, Line line)
      throws SQLException {
    Map<String, List<HistoryStep>> history = new HashMap<>();
    try (ResultSet row =
        plain.executeQuery(
            "SELECT email_id, status, status_before, created_at, node, reason FROM "
                + line.prefix()
                + "statuses ORDER BY id")) {
      while (row.next()) {
        history
            .computeIfAbsent(id(row, "email_id"), id -> new ArrayList<>())
            .add(
                new HistoryStep(
                    state(row.getString("status_before")),
                    state(row.getString("status")),
                    time(row, "created_at"),
                    row.getString("node"),
                    row.getString("reason")));
      }
    }
    return history;
  }

  private static Map<String, String> keys(Statement plain, Line line) throws SQLException {
    Map<String, String> keys = new HashMap<>();
    try (ResultSet row =
        plain.executeQuery("SELECT key_hash, email_id FROM " + line.prefix() + "keys")) {
      while (row.next()) {
        keys.put(Objects.requireNonNull(hex(row.getBytes("key_hash"))), id(row, "email_id"));
      }
    }
    return keys;
  }

  private static State state(String wireName) {
    return State.ofWireName(wireName).orElseThrow();
  }

  private static Instant time(ResultSet row, String column) throws SQLException {
    Object value = row.getObject(column);
    LocalDateTime time =
        value instanceof Timestamp stamp ? stamp.toLocalDateTime() : (LocalDateTime) value;
    return time.toInstant(ZoneOffset.UTC);
  }

  private static String id(ResultSet row, String column) throws SQLException {
    ByteBuffer bytes = ByteBuffer.wrap(row.getBytes(column));
    return new UUID(bytes.getLong(), bytes.getLong()).toString();
  }

  private static @Nullable String hex(byte @Nullable [] bytes) {
    return bytes == null ? null : HexFormat.of().formatHex(bytes);
  }
}
