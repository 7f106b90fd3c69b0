package com.example.shop;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.PriorityOrdered;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The state of the JDBC transactions that Spring has bound to threads.
 *
 * <p>Spring keeps a connection bound to its thread while it calls {@code afterCommit} and {@code
 * afterCompletion}, and has no method that says that the transaction on it has ended. This listener
 * records it. As a bean it attaches itself to all transaction managers of the application context.
 *
 * <p>Safe for use by many threads.
 */
public final class TransactionTracker
    implements TransactionExecutionListener, BeanPostProcessor, SmartInitializingSingleton {

  /** The state of the transaction on the connection that a thread has for a data source. */
  public enum State {
    /** The thread has no connection for the data source. */
    NO_CONNECTION,
    /** The thread has a connection, and no tracked transaction manager has bound it. */
    NOT_TRACKED,
    /** The transaction has begun, and it is neither committed nor rolled back. */
    ACTIVE,
    /** The transaction is committed or rolled back, and the connection is still bound. */
    ENDED,
    /** The commit or the rollback failed: the connection may be unusable. */
    FAILED
  }

  private final Map<ConnectionHolder, State> states =
      Collections.synchronizedMap(new WeakHashMap<>());
  private final ObjectProvider<ConfigurableTransactionManager> managers;

  /**
   * Creates a tracker.
   *
   * @param managers the transaction managers of the application context
   */
  public TransactionTracker(ObjectProvider<ConfigurableTransactionManager> managers) {
    this.managers = managers;
  }

  /**
   * Returns the state of the transaction on the connection that this thread has.
   *
   * @param source the data source that the transaction manager has
   */
  public State state(DataSource source) {
    return TransactionSynchronizationManager.getResource(source) instanceof ConnectionHolder holder
        ? states.getOrDefault(holder, State.NOT_TRACKED)
        : State.NO_CONNECTION;
  }

  /** Tracks a transaction manager; one that is no bean has to be passed to this method. */
  public void attach(ConfigurableTransactionManager manager) {
    Collection<TransactionExecutionListener> present = manager.getTransactionExecutionListeners();
    List<TransactionExecutionListener> listeners = new ArrayList<>(present);
    listeners.remove(this);
    listeners.add(0, this); // the other listeners may send emails
    manager.setTransactionExecutionListeners(listeners);
  }

  /** Attaches to a transaction manager as soon as it is created. */
  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    if (bean instanceof ConfigurableTransactionManager manager) {
      attach(manager);
    }
    return bean;
  }

  /** Attaches to transaction managers that another post-processor needed before this one. */
  @Override
  public void afterSingletonsInstantiated() {
    managers.forEach(this::attach);
  }

  @Override
  public void afterBegin(TransactionExecution transaction, Throwable failure) {
    if (failure == null) {
      record(transaction, State.ACTIVE);
    }
  }

  /** Records the end of transactions without synchronization; for the others it is known. */
  @Override
  public void afterCommit(TransactionExecution transaction, Throwable failure) {
    record(transaction, failure == null ? State.ENDED : State.FAILED);
  }

  /** Records the end of transactions without synchronization; for the others it is known. */
  @Override
  public void afterRollback(TransactionExecution transaction, Throwable failure) {
    record(transaction, failure == null ? State.ENDED : State.FAILED);
  }

  /** Records a state; a savepoint in a transaction is none of its own and changes nothing. */
  private void record(TransactionExecution transaction, State state) {
    if (transaction.isNewTransaction()
        && transaction instanceof DefaultTransactionStatus status
        && status.hasTransaction()
        && status.getTransaction() instanceof JdbcTransactionObjectSupport jdbc
        && jdbc.hasConnectionHolder()) {
      ConnectionHolder holder = jdbc.getConnectionHolder();
      states.put(holder, state);
      if (state == State.ACTIVE && TransactionSynchronizationManager.isSynchronizationActive()) {
        TransactionSynchronizationManager.registerSynchronization(new End(states, holder));
      }
    }
  }

  /** Records the end of a transaction before any other synchronization is called. */
  private record End(Map<ConnectionHolder, State> states, ConnectionHolder holder)
      implements TransactionSynchronization, PriorityOrdered {

    @Override
    public int getOrder() {
      return HIGHEST_PRECEDENCE;
    }

    @Override
    public void afterCommit() {
      states.put(holder, State.ENDED);
    }

    @Override
    public void afterCompletion(int status) {
      states.put(holder, status == STATUS_UNKNOWN ? State.FAILED : State.ENDED);
    }
  }
}
