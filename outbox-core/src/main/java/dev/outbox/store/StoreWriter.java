package dev.outbox.store;

import java.util.List;

/**
 * The one thing a host's transaction can take part in: storing new emails.
 *
 * <p>A store is a writer whose every call is a transaction of its own. For a transaction of the
 * host's, the store makes a writer that joins it: nothing is retried there, and nothing is visible
 * to anybody else before the host commits.
 */
public interface StoreWriter {

  /**
   * Stores new emails.
   *
   * <p>All that can be stored is, each email whole or not at all: in one transaction, or, where the
   * database bounds its transactions, in as few as it takes. An idempotency key that is known gives
   * {@link InsertResult.Status#EXISTING} or {@link InsertResult.Status#CONFLICT} for that email
   * alone; the same key twice in one list is treated as if the second came later. An id that is in
   * the queue already is the same request repeated after its answer was lost, and is {@link
   * InsertResult.Status#CREATED} again. A store that repeats a request by itself also makes sure
   * that no email was archived in between; callers use an id for one call.
   *
   * @return one result for each email, in the same order
   * @throws StoreException if something may not have been stored
   */
  List<InsertResult> insert(List<NewEmail> emails);

  /**
   * Runs an action once what was inserted is committed: at once for a store, after the commit for a
   * joined transaction, never after a rollback. A writer that is not told of the commit drops it.
   */
  void afterCommit(Runnable action);
}
