package dev.outbox.dynamodb;

import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import dev.outbox.store.NodeHeartbeat;
import dev.outbox.store.StateCount;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts what is not in the log: what nobody holds over the index alone, what is held by rows. */
final class StateCounter {

  private final QueueIndex queue;
  private final NodeOperations nodes;
  private final ItemReader rows;

  StateCounter(QueueIndex queue, NodeOperations nodes, ItemReader rows) {
    this.queue = queue;
    this.nodes = nodes;
    this.rows = rows;
  }

  Map<State, StateCount> stats() {
    Instant now = InsertOperations.now();
    Map<State, StateCount> counts = new EnumMap<>(State.class);
    for (State state : State.values()) {
      for (QueueIndex.Entry entry : queue.unowned(state, StateCount.EXACT_UP_TO)) {
        add(
            counts,
            state,
            entry.created(),
            PartitionKeys.dueAt(entry.place(), entry.created()),
            now);
      }
    }
    for (NodeHeartbeat beat : nodes.all()) {
      List<EmailId> ids =
          queue.held(beat.node(), StateCount.EXACT_UP_TO).stream()
              .map(QueueIndex.Entry::id)
              .toList();
      for (EmailItem row : ids.isEmpty() ? List.<EmailItem>of() : rows.hot(ids).values()) {
        if (row.owner != null && !row.stateless) {
          add(counts, row.state, row.created, null, now);
        }
      }
    }
    return counts;
  }

  private static void add(
      Map<State, StateCount> counts,
      State state,
      Instant created,
      @Nullable Instant due,
      Instant now) {
    Duration overdue = due == null || due.isAfter(now) ? Duration.ZERO : Duration.between(due, now);
    StateCount one = new StateCount(1, Duration.between(created, now), overdue);
    counts.merge(
        state,
        one,
        (before, after) ->
            new StateCount(
                Math.min(before.count() + 1, StateCount.EXACT_UP_TO),
                longer(before.oldest(), after.oldest()),
                longer(before.overdue(), after.overdue())));
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
