package dev.outbox.mysql;

import dev.outbox.email.EmailId;
import dev.outbox.store.InsertResult;
import dev.outbox.store.NewEmail;
import dev.outbox.store.StoreWriter;
import java.util.List;
import java.util.function.BiConsumer;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Stores emails in a transaction that the host has begun and will end. */
final class JdbcTransaction implements StoreWriter {

  private final InsertOperations inserting;
  private final Handle handle;
  private final BiConsumer<@Nullable EmailId, Runnable> afterCommit;
  private @Nullable EmailId last;

  /**
   * Makes a writer.
   *
   * @param afterCommit runs an action after the commit, given an email that was stored
   */
  JdbcTransaction(
      InsertOperations inserting,
      Handle handle,
      BiConsumer<@Nullable EmailId, Runnable> afterCommit) {
    this.inserting = inserting;
    this.handle = handle;
    this.afterCommit = afterCommit;
  }

  @Override
  public List<InsertResult> insert(List<NewEmail> emails) {
    if (emails.isEmpty()) {
      return List.of();
    }
    if (!handle.isInTransaction()) {
      throw new IllegalStateException(
          "transaction: over, or the connection went back to auto-commit mode");
    }
    List<InsertResult> answers = inserting.insertInto(handle, emails);
    answers.stream()
        .filter(answer -> answer.status() == InsertResult.Status.CREATED)
        .forEach(answer -> last = answer.id());
    return answers;
  }

  @Override
  public void afterCommit(Runnable action) {
    afterCommit.accept(last, action);
  }
}
