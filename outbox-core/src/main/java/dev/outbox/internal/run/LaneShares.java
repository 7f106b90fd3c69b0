package dev.outbox.internal.run;

import dev.outbox.store.Lane;
import java.util.EnumMap;
import java.util.Map;

/**
 * Divides the room for new claims among the lanes: six tenths for high, three for normal, one for
 * bulk. What does not divide goes to each lane in turn, so that even a node with room for one email
 * serves all of them. Used by one thread.
 */
final class LaneShares {

  private static final Lane[] TURNS = turns();

  private int turn;

  private static Lane[] turns() {
    Lane h = Lane.HIGH;
    Lane n = Lane.NORMAL;
    return new Lane[] {h, n, h, h, n, h, Lane.BULK, h, n, h};
  }

  Map<Lane, Integer> of(int emails) {
    Map<Lane, Integer> shares = new EnumMap<>(Lane.class);
    shares.put(Lane.HIGH, emails / 10 * 6);
    shares.put(Lane.NORMAL, emails / 10 * 3);
    shares.put(Lane.BULK, emails / 10);
    for (int left = emails % 10; left > 0; left--) {
      shares.merge(TURNS[turn], 1, Integer::sum);
      turn = (turn + 1) % TURNS.length;
    }
    return shares;
  }

  /** The one email that is claimed alone because its workers have died. */
  static Map<Lane, Integer> ofSuspects() {
    return Map.of(Lane.SUSPECT, 1);
  }
}
