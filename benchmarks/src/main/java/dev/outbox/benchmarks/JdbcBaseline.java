package dev.outbox.benchmarks;

import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.mysql.MySqlSchema;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What nobody can go below: the same rows in the same tables, claimed, stepped to the wire, logged
 * and deleted by plain JDBC in groups of 500, and the same bytes over bare sockets. No templates,
 * no results read back, no retry.
 */
final class JdbcBaseline implements Competitor {

  private static final int GROUP = 500;
  private static final int THREADS = 4;

  private static final String INSERT =
      """
      INSERT INTO floor_emails (id, status, lane, priority, created, updated, due, deadline,
        lifetime, sender, recipients, recipient_hash, subject, template, payload_bytes, payload, room)
      VALUES (?, 'ACCEPTED', 1, 1, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6), UTC_TIMESTAMP(6),
        TIMESTAMPADD(DAY, 3, UTC_TIMESTAMP(6)), 259200000000, ?, ?, ?, ?, ?, ?, ?, REPEAT(' ', 72))""";

  private static final String CLAIM =
      """
      SELECT id, payload FROM floor_emails FORCE INDEX (floor_emails_due)
      WHERE status = 'ACCEPTED' AND lane = 1 AND due <= UTC_TIMESTAMP(6)
      ORDER BY due, id LIMIT 500 FOR UPDATE SKIP LOCKED""";

  private static final String CLAIMED =
      """
      UPDATE floor_emails SET status = 'INTAKING', owner = 'floor', due = NULL,
        token = token + 1, updated = UTC_TIMESTAMP(6), preparing = UTC_TIMESTAMP(6),
        room = LEFT(room, 16)
      WHERE id IN""";

  private static final String PROCEED =
      """
      UPDATE floor_emails SET status = 'PROCESSING', prepared = UTC_TIMESTAMP(6),
        sending = UTC_TIMESTAMP(6), updated = UTC_TIMESTAMP(6), room = ''
      WHERE token = 1 AND owner = 'floor' AND status = 'INTAKING' AND id IN""";

  private static final String SHARED =
      """
      token, completed_token, completed_to, sent_token, generation, attempts, reaps, tries,
      priority, created, preparing, prepared, sending, deadline, key_hash, fingerprint, sender,
      recipients, recipient_hash, subject, template, tags, id_request, callback_url""";

  private static final String LOG =
      "INSERT INTO floor_log (id, status, sent, settled, updated, worker, response, results, "
          + SHARED
          + ") SELECT id, 'SENT', UTC_TIMESTAMP(6), UTC_TIMESTAMP(6), UTC_TIMESTAMP(6), owner,"
          + " '250 2.0.0 ok', 'ACCEPTED ada@example.com =250 2.0.0 ok', "
          + SHARED
          + " FROM floor_emails WHERE token = 1 AND owner = 'floor' AND id IN";

  private final String name;
  private final DatabaseServer server;
  private final MailClient.Factory senders;
  private final byte[] payload;

  /**
   * Makes the tables.
   *
   * @param payload what our own rows carry
   */
  JdbcBaseline(String name, DatabaseServer server, MailClient.Factory senders, Bytes payload) {
    this.name = name;
    this.server = server;
    this.senders = senders;
    this.payload = payload.toArray();
    try (var pool = server.pool(1)) {
      MySqlSchema.withPrefix("floor_").apply(pool);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void fill(int emails) throws SQLException {
    try (Connection connection = server.connect();
        PreparedStatement insert = connection.prepareStatement(INSERT)) {
      connection.setAutoCommit(false);
      for (int i = 0; i < emails; i++) {
        bind(insert);
        insert.addBatch();
        if ((i + 1) % GROUP == 0 || i + 1 == emails) {
          insert.executeBatch();
          connection.commit();
        }
      }
    }
  }

  /** Stores single emails, each in a transaction of its own, from several threads. */
  void insertSingly(int emails, int threads) throws Exception {
    AtomicInteger left = new AtomicInteger(emails);
    Parallel.run(
        threads,
        () -> {
          try (Connection connection = server.connect();
              PreparedStatement insert = connection.prepareStatement(INSERT)) {
            while (left.getAndDecrement() > 0) {
              bind(insert);
              insert.executeUpdate();
            }
          }
        });
  }

  private void bind(PreparedStatement insert) throws SQLException {
    insert.setBytes(1, bytes(EmailId.next().value()));
    insert.setString(2, "\"Shop\" <" + SampleMail.FROM + ">");
    insert.setString(3, "to \"Ada Lovelace\" <" + SampleMail.TO + ">");
    insert.setInt(4, 4711);
    insert.setString(5, SampleMail.SUBJECT);
    insert.setString(6, SampleOrder.TEMPLATE);
    insert.setInt(7, payload.length);
    insert.setBytes(8, payload);
  }

  @Override
  public void drain(int emails) throws Exception {
    AtomicInteger done = new AtomicInteger();
    Parallel.run(
        THREADS,
        () -> {
          try (Connection connection = server.connect();
              MailClient sender = senders.open()) {
            connection.setAutoCommit(false);
            while (done.get() < emails) {
              done.addAndGet(group(connection, sender));
            }
          }
        });
  }

  private static int group(Connection connection, MailClient sender)
      throws SQLException, IOException {
    List<byte[]> ids = transaction(connection, () -> claim(connection));
    if (ids.isEmpty()) {
      return 0;
    }
    transaction(connection, () -> update(connection, PROCEED, ids));
    for (int i = 0; i < ids.size(); i++) {
      sender.send();
    }
    transaction(
        connection,
        () -> {
          if (update(connection, LOG, ids) != ids.size()) {
            throw new IllegalStateException("rows were lost");
          }
          return update(connection, "DELETE FROM floor_emails WHERE id IN", ids);
        });
    return ids.size();
  }

  private static List<byte[]> claim(Connection connection) throws SQLException {
    List<byte[]> ids = new ArrayList<>();
    try (PreparedStatement claim = connection.prepareStatement(CLAIM);
        ResultSet rows = claim.executeQuery()) {
      while (rows.next()) {
        ids.add(rows.getBytes(1));
      }
    }
    if (!ids.isEmpty()) {
      update(connection, CLAIMED, ids);
    }
    return ids;
  }

  /** Even a bare program meets deadlocks, and what was sent must not be forgotten for one. */
  private static <T> T transaction(Connection connection, Statements<T> statements)
      throws SQLException {
    while (true) {
      try {
        T result = statements.run();
        connection.commit();
        return result;
      } catch (SQLTransactionRollbackException deadlock) {
        connection.rollback();
      }
    }
  }

  private interface Statements<T> {
    T run() throws SQLException;
  }

  private static int update(Connection connection, String start, List<byte[]> ids)
      throws SQLException {
    String marks = String.join(",", Collections.nCopies(ids.size(), "?"));
    try (PreparedStatement statement = connection.prepareStatement(start + " (" + marks + ")")) {
      for (int i = 0; i < ids.size(); i++) {
        statement.setBytes(i + 1, ids.get(i));
      }
      return statement.executeUpdate();
    }
  }

  private static byte[] bytes(UUID id) {
    return ByteBuffer.allocate(16)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }
}
