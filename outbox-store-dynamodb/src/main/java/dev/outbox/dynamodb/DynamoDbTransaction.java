package dev.outbox.dynamodb;

import dev.outbox.email.EmailId;
import dev.outbox.store.IdempotencyKey;
import dev.outbox.store.InsertResult;
import dev.outbox.store.NewEmail;
import dev.outbox.store.StoreException;
import dev.outbox.store.StoreWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * A writer that adds emails to the host's own {@code TransactWriteItems}, so that they are stored
 * with the host's data or not at all.
 *
 * <pre>{@code
 * List<TransactWriteItem> writes = new ArrayList<>(ownWrites);
 * DynamoDbTransaction transaction = dynamo.transaction(writes);
 * outbox.in(transaction).send(email);
 * client.transactWriteItems(request -> request.transactItems(writes));
 * transaction.committed();
 * }</pre>
 *
 * <p>An email takes two items of the hundred that a transaction may have, three with an idempotency
 * key, and one more with the plain history. If its key was taken meanwhile, DynamoDB cancels the
 * transaction; the host then begins anew and is told. Not for use by several threads at once.
 */
public final class DynamoDbTransaction implements StoreWriter {

  private final List<TransactWriteItem> writes;
  private final InsertOperations inserts;
  private final ItemReader rows;
  private final IdempotencyKeys keys;
  private final DayIndex days;
  private final Set<EmailId> added = new TreeSet<>();
  private final Map<String, NewEmail> taken = new HashMap<>();
  private final List<Runnable> actions = new ArrayList<>();

  DynamoDbTransaction(
      List<TransactWriteItem> writes,
      InsertOperations inserts,
      ItemReader rows,
      IdempotencyKeys keys,
      DayIndex days) {
    this.writes = Objects.requireNonNull(writes, "writes");
    this.inserts = inserts;
    this.rows = rows;
    this.keys = keys;
    this.days = days;
    grow(List.of());
  }

  private void grow(List<TransactWriteItem> items) {
    try {
      writes.addAll(items);
    } catch (UnsupportedOperationException e) {
      throw new IllegalArgumentException("writes: want a list that can grow, as an ArrayList", e);
    }
  }

  @Override
  public List<InsertResult> insert(List<NewEmail> emails) {
    inserts.check(emails);
    days.note(emails.stream().map(NewEmail::id).toList());
    return emails.stream().map(this::insert).toList();
  }

  private InsertResult insert(NewEmail email) {
    InsertResult created = new InsertResult(email.id(), InsertResult.Status.CREATED);
    if (added.contains(email.id()) || rows.one(email.id()).isPresent()) {
      return created;
    }
    InsertResult result = email.key() == null ? created : answer(email, email.key());
    if (result.status() == InsertResult.Status.CREATED) {
      add(email);
    }
    return result;
  }

  private InsertResult answer(NewEmail email, IdempotencyKey key) {
    NewEmail earlier = taken.get(key.key().hex());
    Optional<Map<String, AttributeValue>> item =
        earlier == null || earlier.key() == null
            ? keys.find(key)
            : Optional.of(IdempotencyKeys.item(earlier.id(), earlier.key(), Long.MAX_VALUE));
    return item.map(known -> IdempotencyKeys.answer(email, known))
        .orElse(new InsertResult(email.id(), InsertResult.Status.CREATED));
  }

  private void add(NewEmail email) {
    InsertOperations.Draft draft = inserts.draft(email, InsertOperations.now());
    if (writes.size() + draft.items().size() > DynamoDbRequests.TRANSACTION) {
      throw new StoreException(
          StoreException.Reason.REJECTED_DATA,
          "a transaction has at most %d items, and this email is one too many: begin again with fewer items"
              .formatted(DynamoDbRequests.TRANSACTION),
          null);
    }
    grow(draft.items());
    added.add(email.id());
    if (email.key() != null) {
      taken.put(email.key().key().hex(), email);
    }
  }

  @Override
  public void afterCommit(Runnable action) {
    actions.add(action);
  }

  /** Says that the host's transaction was committed, so that the processor is woken. */
  public void committed() {
    List<Runnable> due = List.copyOf(actions);
    actions.clear();
    due.forEach(Runnable::run);
  }
}
