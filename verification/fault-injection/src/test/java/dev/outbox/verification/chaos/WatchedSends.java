package dev.outbox.verification.chaos;

import dev.outbox.Outbox;
import dev.outbox.email.Email;
import dev.outbox.email.IdempotencyConflictException;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.email.Receipt;
import dev.outbox.store.StoreException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The sends of a node; reports each one that failed, and whether its thread was interrupted. */
final class WatchedSends {

  private final Map<Line, Outbox> outboxes;
  private final Interrupter interrupter;
  private final Consumer<String> notes;

  WatchedSends(Map<Line, Outbox> outboxes, Interrupter interrupter, Consumer<String> notes) {
    this.outboxes = outboxes;
    this.interrupter = interrupter;
    this.notes = notes;
  }

  Receipt send(Line line, Email email) {
    return watched(() -> outbox(line).send(email));
  }

  List<Receipt> sendAll(Line line, List<Email> emails) {
    return watched(() -> outbox(line).sendAll(emails));
  }

  private <T> T watched(Supplier<T> call) {
    long begin = interrupter.begin();
    long start = System.nanoTime();
    try {
      return call.get();
    } catch (InvalidEmailException | IdempotencyConflictException e) {
      throw e;
    } catch (RuntimeException e) {
      notes.accept(
          FailedSends.note(
              (System.nanoTime() - start) / 1_000_000,
              interrupter.isInterrupted(begin),
              e instanceof StoreException store
                  ? store.reason().name()
                  : e.getClass().getSimpleName()));
      throw e;
    }
  }

  private Outbox outbox(Line line) {
    return Objects.requireNonNull(outboxes.get(line));
  }
}
