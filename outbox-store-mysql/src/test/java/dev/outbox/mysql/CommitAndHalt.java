package dev.outbox.mysql;

import dev.outbox.store.NewEmail;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

/** A process that stores one email in H2 and is gone in the next statement. */
final class CommitAndHalt {

  static final int HALTED = 7;

  private CommitAndHalt() {}

  /** Prints the email's id, stores it and halts. Arguments: URL, and whether a host commits. */
  public static void main(String[] arguments) throws SQLException {
    String url = arguments[0];
    MySqlStore store = MySqlStore.builder(url, "sa", "").applySchema().build();
    NewEmail email = Samples.email();
    System.out.println(email.id());
    if (Boolean.parseBoolean(arguments[1])) {
      Connection connection = DriverManager.getConnection(url, "sa", "");
      connection.setAutoCommit(false);
      store.transaction(connection).insert(List.of(email));
      connection.commit();
      Runtime.getRuntime().halt(HALTED);
    }
    store.insert(List.of(email));
    Runtime.getRuntime().halt(HALTED);
  }
}
