package dev.outbox.dynamodb;

import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.store.Change;
import dev.outbox.store.Completed;
import dev.outbox.store.Completion;
import dev.outbox.store.Decision;
import dev.outbox.store.ManualMove;
import dev.outbox.store.Moved;
import dev.outbox.store.ReapPolicy;
import dev.outbox.store.Reaped;
import dev.outbox.store.StoreException;
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
final class Events {

  private static final Logger log = LoggerFactory.getLogger(Events.class);

  /** Whoever changed a row has made progress, so that losing for ever is not possible. */
  private static final int PATIENCE = 50;

  private final Rows rows;
  private final Writes writes;
  private final Contents contents;
  private final Nodes nodes;
  private final Queue queue;
  private final Crew crew;
  private final Settings settings;
  private final Strangers strangers;

  Events(
      Rows rows,
      Writes writes,
      Contents contents,
      Nodes nodes,
      Queue queue,
      Crew crew,
      Settings settings,
      Strangers strangers) {
    this.rows = rows;
    this.writes = writes;
    this.contents = contents;
    this.nodes = nodes;
    this.queue = queue;
    this.crew = crew;
    this.settings = settings;
    this.strangers = strangers;
  }

  List<Completed> complete(List<Completion> completions) {
    return each(
        completions,
        Completion::id,
        (done, row) ->
            settled(
                done.id(),
                row,
                now -> now.columns().complete(done, Inserts.now()),
                Completed.LOST));
  }

  List<Moved> move(ManualMove move, List<EmailId> ids) {
    return each(
        ids,
        Function.identity(),
        (id, row) -> {
          Moved moved =
              settled(
                  id, row, now -> decided(move, now), new Moved(id, Moved.Status.NOT_FOUND, null));
          if (move == ManualMove.ERASE && moved.status() == Moved.Status.DONE) {
            // A call that failed may have left files that no row names.
            contents.deleteAll(id);
          }
          return moved;
        });
  }

  private static Decision<Moved> decided(ManualMove move, Row row) {
    if (row.stateless && move != ManualMove.ERASE) {
      // A newer release may have plans for it.
      return new Decision<>(new Moved(row.id, Moved.Status.REFUSED, row.state), null);
    }
    boolean content = row.hasContent() || (move == ManualMove.ERASE && row.isSpoilt());
    return row.columns().move(move, content, row.isComposed(), Inserts.now());
  }

  /** Reads all rows at once, and works on different emails at once. */
  private <T, A> List<A> each(List<T> all, Function<T, EmailId> idOf, Work<T, A> work) {
    Map<EmailId, List<Integer>> byEmail = new LinkedHashMap<>();
    for (int i = 0; i < all.size(); i++) {
      byEmail.computeIfAbsent(idOf.apply(all.get(i)), id -> new ArrayList<>()).add(i);
    }
    Map<EmailId, Row> read = byEmail.isEmpty() ? Map.of() : rows.all(byEmail.keySet());
    Map<Integer, A> answers = new HashMap<>();
    List<Map<Integer, A>> parts =
        crew.each(
            List.copyOf(byEmail.entrySet()),
            entry -> {
              Map<Integer, A> own = new HashMap<>();
              Row row = read.get(entry.getKey());
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
      EmailId id, @Nullable Row read, Function<Row, Decision<A>> decide, A missing) {
    Row row = read;
    for (int round = 0; round < PATIENCE; round++) {
      if (row == null || isForeign(row)) {
        return missing;
      }
      Decision<A> decision = decide.apply(row);
      Change change = decision.change();
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
  private boolean isForeign(Row row) {
    if (row.foreign) {
      strangers.isNews(row.archived ? settings.log() : settings.emails(), row.id);
    }
    return row.foreign;
  }

  List<Reaped> reap(NodeId dead, long beat, ReapPolicy policy, int limit) {
    if (!nodes.stands(dead, beat)) {
      return List.of();
    }
    TransactWriteItem standing = nodes.standing(dead, beat);
    List<Reaped> reaped = new ArrayList<>();
    List<EmailId> ids = queue.held(dead, limit).stream().map(Queue.Entry::id).toList();
    for (Row row : ids.isEmpty() ? List.<Row>of() : List.copyOf(rows.hot(ids).values())) {
      if (row.stateless || !dead.equals(row.owner) || isForeign(row)) {
        continue;
      }
      Decision<Reaped> decision = row.columns().reap(dead, policy, row.isComposed(), Inserts.now());
      Change change = Objects.requireNonNull(decision.change());
      Writes.Outcome outcome = reaped(row, change, standing);
      if (outcome == Writes.Outcome.UNGUARDED) {
        break;
      }
      if (outcome == Writes.Outcome.WRITTEN) {
        reaped.add(decision.answer());
      }
    }
    return reaped;
  }

  /** Writes one row; one that DynamoDB does not take back does not stop the others. */
  private Writes.Outcome reaped(Row row, Change change, TransactWriteItem standing) {
    try {
      return writes.commit(row, change, standing);
    } catch (StoreException e) {
      if (e.reason() != StoreException.Reason.REJECTED_DATA) {
        throw e;
      }
      log.error("{} cannot be reaped, DynamoDB rejects its item: {}", row.id, e.getMessage());
      return Writes.Outcome.LOST;
    }
  }

  private interface Work<T, A> {
    A on(T one, @Nullable Row row);
  }
}
