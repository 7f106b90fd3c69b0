package dev.outbox.mysql;

import dev.outbox.email.EmailId;
import dev.outbox.store.Inserted;
import dev.outbox.store.NewEmail;
import dev.outbox.store.StoreWriter;
import java.util.List;
import java.util.function.BiConsumer;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Stores emails in a transaction that the host has begun and will end. */
final class JoinedWriter implements StoreWriter {

  private final Inserting inserting;
  private final Handle handle;
  private final BiConsumer<@Nullable EmailId, Runnable> afterCommit;
  private @Nullable EmailId last;

  /**
   * Makes a writer.
   *
   * @param afterCommit runs an action after the commit, given an email that was stored
   */
  JoinedWriter(
      Inserting inserting, Handle handle, BiConsumer<@Nullable EmailId, Runnable> afterCommit) {
    this.inserting = inserting;
    this.handle = handle;
    this.afterCommit = afterCommit;
  }

  @Override
  public List<Inserted> insert(List<NewEmail> emails) {
    if (emails.isEmpty()) {
      return List.of();
    }
    if (!handle.isInTransaction()) {
      throw new IllegalStateException(
          "transaction: over, or the connection went back to auto-commit mode");
    }
    List<Inserted> answers = inserting.insertInto(handle, emails);
    answers.stream()
        .filter(answer -> answer.status() == Inserted.Status.CREATED)
        .forEach(answer -> last = answer.id());
    return answers;
  }

  @Override
  public void whenCommitted(Runnable action) {
    afterCommit.accept(last, action);
  }
}
