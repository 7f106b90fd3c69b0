package dev.outbox.internal.run;

import dev.outbox.store.PriorityLane;
import java.util.EnumMap;
import java.util.Map;

/**
 * Divides the room for new claims among the lanes: six tenths for high, three for normal, one for
 * bulk. What does not divide goes to each lane in turn, so that even a node with room for one email
 * serves all of them. Used by one thread.
 */
final class PriorityLaneShares {

  private static final PriorityLane[] TURNS = turns();

  private int turn;

  private static PriorityLane[] turns() {
    PriorityLane h = PriorityLane.HIGH;
    PriorityLane n = PriorityLane.NORMAL;
    return new PriorityLane[] {h, n, h, h, n, h, PriorityLane.BULK, h, n, h};
  }

  Map<PriorityLane, Integer> of(int emails) {
    Map<PriorityLane, Integer> shares = new EnumMap<>(PriorityLane.class);
    shares.put(PriorityLane.HIGH, emails / 10 * 6);
    shares.put(PriorityLane.NORMAL, emails / 10 * 3);
    shares.put(PriorityLane.BULK, emails / 10);
    for (int left = emails % 10; left > 0; left--) {
      shares.merge(TURNS[turn], 1, Integer::sum);
      turn = (turn + 1) % TURNS.length;
    }
    return shares;
  }

  /** The one email that is claimed alone because its workers have died. */
  static Map<PriorityLane, Integer> ofSuspects() {
    return Map.of(PriorityLane.SUSPECT, 1);
  }
}
