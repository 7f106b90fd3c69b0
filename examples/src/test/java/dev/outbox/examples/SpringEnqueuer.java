package dev.outbox.examples;

import dev.outbox.Enqueuer;
import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.Receipt;
import dev.outbox.mysql.MySqlStore;
import java.sql.Connection;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** An enqueuer that joins the Spring transaction it is called in, if it is called in one. */
final class SpringEnqueuer implements Enqueuer {

  private final Outbox outbox;
  private final MySqlStore store;
  private final DataSource source;

  SpringEnqueuer(Outbox outbox, MySqlStore store, DataSource source) {
    this.outbox = outbox;
    this.store = store;
    this.source = source;
  }

  @Override
  public Receipt send(Email email) {
    return sendAll(List.of(email)).get(0);
  }

  @Override
  public List<Receipt> sendAll(Collection<Email> emails) {
    Connection connection = DataSourceUtils.getConnection(source);
    try {
      if (!DataSourceUtils.isConnectionTransactional(connection, source)) {
        return outbox.sendAll(emails);
      }
      List<Receipt> receipts = outbox.in(store.transaction(connection)).sendAll(emails);
      TransactionSynchronizationManager.registerSynchronization(new Wake(outbox));
      return receipts;
    } finally {
      DataSourceUtils.releaseConnection(connection, source);
    }
  }

  /** Makes the processor look at once, instead of when it finds out by itself. */
  private record Wake(Outbox outbox) implements TransactionSynchronization {

    @Override
    public void afterCommit() {
      outbox.wake();
    }
  }
}
