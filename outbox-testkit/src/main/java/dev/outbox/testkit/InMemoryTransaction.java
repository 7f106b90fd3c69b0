package dev.outbox.testkit;

import dev.outbox.store.IdempotencyKey;
import dev.outbox.store.InsertResult;
import dev.outbox.store.NewEmail;
import dev.outbox.store.StoreWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A host's transaction on an {@link InMemoryStore}: what is inserted is seen by nobody before the
 * commit. Closing it without a commit is a rollback. Not for use by several threads at once.
 */
public final class InMemoryTransaction implements StoreWriter, AutoCloseable {

  private final InMemoryStore store;
  private final List<NewEmail> emails = new ArrayList<>();
  private final List<Runnable> actions = new ArrayList<>();

  InMemoryTransaction(InMemoryStore store) {
    this.store = store;
  }

  @Override
  public List<InsertResult> insert(List<NewEmail> added) {
    return added.stream().map(this::insert).toList();
  }

  private InsertResult insert(NewEmail email) {
    if (emails.stream().anyMatch(earlier -> earlier.id().equals(email.id()))) {
      return new InsertResult(email.id(), InsertResult.Status.CREATED);
    }
    InsertResult result =
        emails.stream()
            .filter(earlier -> sameKey(earlier, email))
            .findFirst()
            .map(earlier -> repeated(earlier, email))
            .orElseGet(() -> store.preview(email));
    if (result.status() == InsertResult.Status.CREATED) {
      emails.add(email);
    }
    return result;
  }

  private static boolean sameKey(NewEmail earlier, NewEmail email) {
    IdempotencyKey first = earlier.key();
    IdempotencyKey second = email.key();
    return first != null && second != null && first.key().equals(second.key());
  }

  private static InsertResult repeated(NewEmail earlier, NewEmail email) {
    boolean same = Objects.equals(earlier.key(), email.key());
    return new InsertResult(
        earlier.id(), same ? InsertResult.Status.EXISTING : InsertResult.Status.CONFLICT);
  }

  @Override
  public void afterCommit(Runnable action) {
    actions.add(action);
  }

  /**
   * Makes what was inserted visible to everybody, all or nothing.
   *
   * @throws dev.outbox.store.StoreException if an idempotency key was taken by somebody else
   *     meanwhile
   */
  public void commit() {
    store.commit(emails);
    List<Runnable> due = List.copyOf(actions);
    rollback();
    due.forEach(Runnable::run);
  }

  /** Forgets what was inserted. */
  public void rollback() {
    emails.clear();
    actions.clear();
  }

  /** Forgets what was not committed. */
  @Override
  public void close() {
    rollback();
  }
}
