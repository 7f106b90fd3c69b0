package com.example.shop;

import dev.outbox.Enqueuer;
import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.IdempotencyConflictException;
import dev.outbox.email.Receipt;
import dev.outbox.mysql.MySqlStore;
import dev.outbox.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * An enqueuer that joins the Spring transaction it is called in.
 *
 * <ul>
 *   <li>In a transaction the emails are stored with its commit, and not stored after its rollback.
 *   <li>After the end of a transaction, in {@code afterCommit}, {@code afterCompletion} or a {@code
 *       TransactionalEventListener}, the emails are stored and committed on the connection that the
 *       thread still has. A second connection could block all threads of a small pool.
 *   <li>Outside a transaction the emails are stored by themselves.
 * </ul>
 *
 * <p>Safe for use by many threads.
 */
public final class SpringEnqueuer implements Enqueuer {

  private static final Logger log = LoggerFactory.getLogger(SpringEnqueuer.class);

  private final Outbox outbox;
  private final MySqlStore store;
  private final DataSource source;
  private final TransactionTracker tracker;
  private final AtomicBoolean warned = new AtomicBoolean();

  /**
   * Creates an enqueuer.
   *
   * @param store the store of the outbox, made with {@code poolOf(source)}
   * @param source the data source that the transaction manager has
   */
  public SpringEnqueuer(
      Outbox outbox, MySqlStore store, DataSource source, TransactionTracker tracker) {
    this.outbox = outbox;
    this.store = store;
    this.source = poolOf(source);
    this.tracker = tracker;
  }

  /**
   * Returns the data source behind a {@code TransactionAwareDataSourceProxy}, as Spring's
   * transaction managers use it; any other data source is returned as it is.
   */
  public static DataSource poolOf(DataSource source) {
    DataSource target =
        source instanceof TransactionAwareDataSourceProxy proxy
            ? proxy.getTargetDataSource()
            : source;
    return target == null || target == source ? source : poolOf(target);
  }

  @Override
  public Receipt send(Email email) {
    return sendAll(List.of(email)).get(0);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if the transaction is read-only
   */
  @Override
  public List<Receipt> sendAll(Collection<Email> emails) {
    return switch (tracker.state(source)) {
      case ACTIVE -> join(emails);
      case ENDED -> storeAfterEnd(emails);
      case FAILED -> outbox.sendAll(emails);
      case NO_CONNECTION, NOT_TRACKED -> {
        warnInForeignTransaction();
        yield outbox.sendAll(emails);
      }
    };
  }

  private List<Receipt> join(Collection<Email> emails) {
    if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
      throw new IllegalStateException(
          "the transaction is read-only: send emails in a transaction that may write");
    }
    Connection connection = DataSourceUtils.getConnection(source);
    try {
      return outbox.in(store.transaction(connection)).sendAll(emails);
    } finally {
      DataSourceUtils.releaseConnection(connection, source);
    }
  }

  private List<Receipt> storeAfterEnd(Collection<Email> emails) {
    Connection connection = DataSourceUtils.getConnection(source);
    try {
      if (connection.isReadOnly()) {
        return outbox.sendAll(emails);
      }
      boolean autoCommit = connection.getAutoCommit();
      connection.setAutoCommit(false);
      try {
        return storeAndCommit(connection, emails);
      } finally {
        connection.setAutoCommit(autoCommit);
      }
    } catch (SQLException e) {
      throw new StoreException(
          StoreException.Reason.UNAVAILABLE,
          "store emails after the end of a transaction: SQL state " + e.getSQLState(),
          e);
    } finally {
      DataSourceUtils.releaseConnection(connection, source);
    }
  }

  private List<Receipt> storeAndCommit(Connection connection, Collection<Email> emails)
      throws SQLException {
    try {
      List<Receipt> receipts = outbox.in(store.transaction(connection)).sendAll(emails);
      connection.commit();
      return receipts;
    } catch (IdempotencyConflictException othersAreStored) {
      connection.commit();
      throw othersAreStored;
    } catch (SQLException | RuntimeException | Error failure) {
      rollBack(connection, failure);
      throw failure;
    }
  }

  private static void rollBack(Connection connection, Throwable failure) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  private void warnInForeignTransaction() {
    if (TransactionSynchronizationManager.isActualTransactionActive()
        && warned.compareAndSet(false, true)) {
      log.warn(
          "emails are stored outside the active transaction and stay after its rollback: its"
              + " transaction manager has another DataSource object than the outbox, or no"
              + " TransactionTracker (logged once)");
    }
  }
}
