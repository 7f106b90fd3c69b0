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
  static final Duration HEAD_START = Duration.ofSeconds(2);

  private static final List<String> SPOILT =
      List.of(
          "payload = X'00FFFE'",
          "payload = '{\"version\":999}'",
          "recipients = 'nobody can read this'",
          "payload = NULL",
          "sender = 'neither this'");

  private SqlPoison() {}

  static String add(String url, String user, Line line, int choice) {
    try (MySqlStore store =
        MySqlStore.builder(url, user, "")
            .tablePrefix(line.prefix())
            .connections(2)
            .applySchema()
            .build()) {
      Outbox outbox = Outbox.builder(store).defaultFrom("shop@example.com").build();
      String id =
          outbox
              .send(
                  Email.to("poison@example.com")
                      .subject("poison")
                      .text("poison")
                      .sendAt(Instant.now().plus(HEAD_START))
                      .build())
              .id()
              .toString();
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
                "UPDATE %semails SET %s WHERE id = ?"
                    .formatted(line.prefix(), SPOILT.get(choice % SPOILT.size())))) {
      update.setBytes(1, Ids.bytes(id));
      if (update.executeUpdate() != 1) {
        throw new SQLException("the row is not there");
      }
    }
  }
}
