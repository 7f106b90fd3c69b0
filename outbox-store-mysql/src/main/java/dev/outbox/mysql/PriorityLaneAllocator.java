package dev.outbox.mysql;

import dev.outbox.email.State;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.PriorityLane;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Divides a claim among the lanes: each gets its share, and what some leave over goes to the others
 * in their order. Lanes that were empty the last time are asked first, so that what they leave is
 * known when the next one is asked, and nobody has to be asked twice. Safe for many threads.
 */
final class PriorityLaneAllocator {

  private final Set<Queue> empty = ConcurrentHashMap.newKeySet();

  private record Queue(State from, PriorityLane lane) {}

  /** Looks for due emails of a lane, the first so many. */
  interface LaneQuery<T> {
    List<T> first(PriorityLane lane, int limit);
  }

  /** Returns whether a lane had nothing due when it was last looked at. */
  boolean wasEmpty(State from, PriorityLane lane) {
    return empty.contains(new Queue(from, lane));
  }

  <T> List<T> choose(ClaimRequest request, LaneQuery<T> look) {
    Map<PriorityLane, List<T>> chosen = new EnumMap<>(PriorityLane.class);
    Map<PriorityLane, Integer> full = new EnumMap<>(PriorityLane.class);
    int spare = 0;
    for (PriorityLane lane : turns(request)) {
      // What is left over is for the lanes before this one, as long as they may have a use for it.
      boolean isNext =
          request.shares().keySet().stream()
              .filter(other -> other.compareTo(lane) < 0)
              .allMatch(other -> chosen.containsKey(other) && !full.containsKey(other));
      int share = request.shares().getOrDefault(lane, 0);
      int limit = isNext ? share + spare : share;
      if (limit == 0) {
        full.put(lane, 0);
        continue;
      }
      List<T> due = look.first(lane, limit);
      chosen.put(lane, due);
      spare += share - due.size();
      if (due.size() == limit) {
        full.put(lane, limit);
      }
      remember(new Queue(request.from(), lane), due.isEmpty());
    }
    for (Map.Entry<PriorityLane, Integer> lane : full.entrySet()) {
      if (spare > 0) {
        List<T> due = look.first(lane.getKey(), lane.getValue() + spare);
        spare -= due.size() - lane.getValue();
        chosen.put(lane.getKey(), due);
      }
    }
    List<T> all = new ArrayList<>();
    chosen.values().forEach(all::addAll);
    return all;
  }

  private List<PriorityLane> turns(ClaimRequest request) {
    return request.shares().keySet().stream()
        .sorted(
            Comparator.comparing(
                    (PriorityLane lane) -> !empty.contains(new Queue(request.from(), lane)))
                .thenComparing(Comparator.naturalOrder()))
        .toList();
  }

  private void remember(Queue queue, boolean isEmpty) {
    if (isEmpty) {
      empty.add(queue);
    } else {
      empty.remove(queue);
    }
  }
}
