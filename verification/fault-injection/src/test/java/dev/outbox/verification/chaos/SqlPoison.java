package dev.outbox.verification.chaos;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.mysql.MySqlStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Rows that cannot be read, in SQL tables. */
final class SqlPoison {

  /** Until it is due nobody looks at it. */
  private static final Duration HEAD_START = Duration.ofSeconds(10);

  private static final List<String> SPOILT =
      List.of(
          "payload = X'00FFFE'",
          "payload = '{\"version\":999}'",
          "recipients = 'nobody can read this'",
          "payload = NULL",
          "sender = 'neither this'");

  private static final String RECIPIENT = "poison@example.com";

  private SqlPoison() {}

  /** Returns whether an email was to be made unreadable, which may have come too late. */
  static boolean isPoison(EmailFacts email) {
    return String.valueOf(email.recipients()).contains(RECIPIENT)
        || "poison".equals(email.subject());
  }

  /** Returns an email that nobody looks at for a moment. */
  static Email email() {
    return Email.to(RECIPIENT)
        .subject("poison")
        .text("poison")
        .sendAt(Instant.now().plus(HEAD_START))
        .build();
  }

  static String add(String url, String user, Line line, int choice) {
    try (MySqlStore store =
        MySqlStore.builder(url, user, "")
            .tablePrefix(line.prefix())
            .connections(2)
            .applySchema()
            .build()) {
      Outbox outbox = Outbox.builder(store).defaultFrom("shop@example.com").build();
      String id = outbox.send(email()).id().toString();
      spoil(url, user, line, choice, id);
      return id;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void spoil(String url, String user, Line line, int choice, String id)
      throws SQLException {
    try (Connection connection = DriverManager.getConnection(url, user, "");
        PreparedStatement update =
            connection.prepareStatement(
                "UPDATE %semails SET %s WHERE id = ? AND status = 'ACCEPTED'"
                    .formatted(line.prefix(), SPOILT.get(choice % SPOILT.size())))) {
      update.setBytes(1, Ids.bytes(id));
      if (update.executeUpdate() != 1) {
        throw new SQLException("the row is not there");
      }
    }
  }
}
