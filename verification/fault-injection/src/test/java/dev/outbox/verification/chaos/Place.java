package dev.outbox.verification.chaos;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.Receipt;
import dev.outbox.store.OutboxStore;
import java.util.function.Consumer;

/** A store as a node has it open. */
interface Place extends AutoCloseable {

  OutboxStore store();

  /**
   * Sends in a transaction of the host's own.
   *
   * @param commits whether the transaction is committed in the end, or rolled back
   * @param sent what is done with the receipt before that end
   */
  void join(Outbox outbox, Email email, boolean commits, Consumer<Receipt> sent) throws Exception;

  @Override
  void close();
}
