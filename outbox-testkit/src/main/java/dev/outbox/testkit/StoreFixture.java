package dev.outbox.testkit;

import dev.outbox.store.OutboxStore;
import dev.outbox.store.StoreWriter;
import java.time.Duration;

/**
 * A fresh and empty store for one test of {@link OutboxStoreContract}, and what the contract has to
 * do to it from outside.
 *
 * <p>Store authors implement this next to their store's test. Nothing of it belongs into a store's
 * production code.
 */
public interface StoreFixture extends AutoCloseable {

  /** Returns the store under test; always the same one. */
  OutboxStore store();

  /**
   * Returns another store object on the same data, as a second process would have it. A store that
   * lives in memory may return the store under test itself.
   */
  OutboxStore another();

  /**
   * Lets time pass for everything that is stored: moves the store's clock on, or shifts all stored
   * times back.
   */
  void advance(Duration time);

  /** Begins a transaction as the host's own code would, and joins it. */
  JoinedTransaction begin();

  /** Closes both stores and rolls back the transactions that are still open. */
  @Override
  void close();

  /** A transaction of the host's that stores emails among other things. */
  interface JoinedTransaction {

    /** Returns the writer that takes part in this transaction; always the same one. */
    StoreWriter writer();

    /**
     * Commits as the host would, and tells the writer.
     *
     * @throws RuntimeException if the transaction could not be committed, and nothing of it is
     *     stored
     */
    void commit();

    /** Rolls back as the host would. */
    void rollback();
  }
}
