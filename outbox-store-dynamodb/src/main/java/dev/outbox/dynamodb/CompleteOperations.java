package dev.outbox.dynamodb;

import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.store.ActionResult;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.ReapPolicy;
import dev.outbox.store.ReapedEmail;
import dev.outbox.store.RecordChange;
import dev.outbox.store.StoreException;
import dev.outbox.store.Transition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * What happens to stored emails: the row is read, the core decides, and the change is written if
 * the row is still as it was read; else it is read and decided again.
 */
final class CompleteOperations {

  private static final Logger log = LoggerFactory.getLogger(CompleteOperations.class);

  /** Whoever changed a row has made progress, so that losing for ever is not possible. */
  private static final int PATIENCE = 50;

  private final ItemReader rows;
  private final ChangeWriter writes;
  private final ContentStorage contents;
  private final NodeOperations nodes;
  private final QueueIndex queue;
  private final ParallelRequests parallel;
  private final DynamoDbSettings settings;
  private final ForeignItemLog foreignItems;

  CompleteOperations(
      ItemReader rows,
      ChangeWriter writes,
      ContentStorage contents,
      NodeOperations nodes,
      QueueIndex queue,
      ParallelRequests parallel,
      DynamoDbSettings settings,
      ForeignItemLog foreignItems) {
    this.rows = rows;
    this.writes = writes;
    this.contents = contents;
    this.nodes = nodes;
    this.queue = queue;
    this.parallel = parallel;
    this.settings = settings;
    this.foreignItems = foreignItems;
  }

  List<CompletionResult> complete(List<Completion> completions) {
    return each(
        completions,
        Completion::id,
        (done, row) ->
            settled(
                done.id(),
                row,
                now -> now.columns().complete(done, InsertOperations.now()),
                CompletionResult.LOST));
  }

  List<ActionResult> move(OperatorAction move, List<EmailId> ids) {
    return each(
        ids,
        Function.identity(),
        (id, row) -> {
          ActionResult moved =
              settled(
                  id,
                  row,
                  now -> decided(move, now),
                  new ActionResult(id, ActionResult.Status.NOT_FOUND, null));
          if (move == OperatorAction.ERASE && moved.status() == ActionResult.Status.DONE) {
            // A call that failed may have left files that no row names.
            contents.deleteAll(id);
          }
          return moved;
        });
  }

  private static Transition<ActionResult> decided(OperatorAction move, EmailItem row) {
    if (row.stateless && move != OperatorAction.ERASE) {
      // A newer release may have plans for it.
      return new Transition<>(
          new ActionResult(row.id, ActionResult.Status.REFUSED, row.state), null);
    }
    boolean content = row.hasContent() || (move == OperatorAction.ERASE && row.isSpoilt());
    return row.columns().move(move, content, row.isComposed(), InsertOperations.now());
  }

  /** Reads all rows at once, and works on different emails at once. */
  private <T, A> List<A> each(List<T> all, Function<T, EmailId> idOf, Work<T, A> work) {
    Map<EmailId, List<Integer>> byEmail = new LinkedHashMap<>();
    for (int i = 0; i < all.size(); i++) {
      byEmail.computeIfAbsent(idOf.apply(all.get(i)), id -> new ArrayList<>()).add(i);
    }
    Map<EmailId, EmailItem> read = byEmail.isEmpty() ? Map.of() : rows.all(byEmail.keySet());
    Map<Integer, A> answers = new HashMap<>();
    List<Map<Integer, A>> parts =
        parallel.each(
            List.copyOf(byEmail.entrySet()),
            entry -> {
              Map<Integer, A> own = new HashMap<>();
              EmailItem row = read.get(entry.getKey());
              for (int index : entry.getValue()) {
                own.put(index, work.on(all.get(index), row));
                row = entry.getValue().size() > 1 ? rows.one(entry.getKey()).orElse(null) : null;
              }
              return own;
            });
    parts.forEach(answers::putAll);
    List<A> ordered = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      ordered.add(Objects.requireNonNull(answers.get(i)));
    }
    return ordered;
  }

  private <A> A settled(
      EmailId id, @Nullable EmailItem read, Function<EmailItem, Transition<A>> decide, A missing) {
    EmailItem row = read;
    for (int round = 0; round < PATIENCE; round++) {
      if (row == null || isForeign(row)) {
        return missing;
      }
      Transition<A> decision = decide.apply(row);
      RecordChange change = decision.change();
      if (change == null || writes.commit(row, change)) {
        return decision.answer();
      }
      row = rows.one(id).orElse(null);
    }
    throw new StoreException(
        StoreException.Reason.UNAVAILABLE,
        "email " + id + " was changed by others all the time",
        null);
  }

  /** Returns whether a row is not ours to change, and logs why nothing happens to it. */
  private boolean isForeign(EmailItem row) {
    if (row.foreign) {
      foreignItems.isNews(row.archived ? settings.log() : settings.emails(), row.id);
    }
    return row.foreign;
  }

  List<ReapedEmail> reap(NodeId dead, long beat, ReapPolicy policy, int limit) {
    if (!nodes.stands(dead, beat)) {
      return List.of();
    }
    TransactWriteItem standing = nodes.standing(dead, beat);
    List<ReapedEmail> reaped = new ArrayList<>();
    List<EmailId> ids = queue.held(dead, limit).stream().map(QueueIndex.Entry::id).toList();
    for (EmailItem row :
        ids.isEmpty() ? List.<EmailItem>of() : List.copyOf(rows.hot(ids).values())) {
      if (row.stateless || !dead.equals(row.owner) || isForeign(row)) {
        continue;
      }
      Transition<ReapedEmail> decision =
          row.columns().reap(dead, policy, row.isComposed(), InsertOperations.now());
      RecordChange change = Objects.requireNonNull(decision.change());
      ChangeWriter.Outcome outcome = reaped(row, change, standing);
      if (outcome == ChangeWriter.Outcome.UNGUARDED) {
        break;
      }
      if (outcome == ChangeWriter.Outcome.WRITTEN) {
        reaped.add(decision.answer());
      }
    }
    return reaped;
  }

  /** Writes one row; one that DynamoDB does not take back does not stop the others. */
  private ChangeWriter.Outcome reaped(
      EmailItem row, RecordChange change, TransactWriteItem standing) {
    try {
      return writes.commit(row, change, standing);
    } catch (StoreException e) {
      if (e.reason() != StoreException.Reason.REJECTED_DATA) {
        throw e;
      }
      log.error("{} cannot be reaped, DynamoDB rejects its item: {}", row.id, e.getMessage());
      return ChangeWriter.Outcome.LOST;
    }
  }

  private interface Work<T, A> {
    A on(T one, @Nullable EmailItem row);
  }
}
