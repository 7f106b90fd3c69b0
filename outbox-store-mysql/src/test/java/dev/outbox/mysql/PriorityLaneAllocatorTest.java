package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.State;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.PriorityLane;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PriorityLaneAllocatorTest {

  private final PriorityLaneAllocator turns = new PriorityLaneAllocator();
  private final Map<PriorityLane, Integer> stored = new EnumMap<>(PriorityLane.class);
  private final List<PriorityLane> asked = new ArrayList<>();

  private List<PriorityLane> choose() {
    asked.clear();
    return turns.choose(
        new ClaimRequest(
            Emails.NODE,
            State.ACCEPTED,
            Map.of(PriorityLane.HIGH, 6, PriorityLane.NORMAL, 3, PriorityLane.BULK, 1),
            1 << 20),
        (lane, limit) -> {
          asked.add(lane);
          return Collections.nCopies(Math.min(limit, stored.getOrDefault(lane, 0)), lane);
        });
  }

  private static int count(List<PriorityLane> chosen, PriorityLane lane) {
    return Collections.frequency(chosen, lane);
  }

  @Test
  void eachLaneGetsItsShare() {
    stored.putAll(Map.of(PriorityLane.HIGH, 100, PriorityLane.NORMAL, 100, PriorityLane.BULK, 100));

    List<PriorityLane> chosen = choose();

    assertThat(count(chosen, PriorityLane.HIGH)).isEqualTo(6);
    assertThat(count(chosen, PriorityLane.NORMAL)).isEqualTo(3);
    assertThat(count(chosen, PriorityLane.BULK)).isEqualTo(1);
  }

  @Test
  void whatIsLeftOverGoesToTheLanesInTheirOrder() {
    stored.putAll(Map.of(PriorityLane.HIGH, 7, PriorityLane.BULK, 100));

    List<PriorityLane> chosen = choose();

    assertThat(count(chosen, PriorityLane.HIGH)).isEqualTo(7);
    assertThat(count(chosen, PriorityLane.BULK)).isEqualTo(3);
  }

  @Test
  void lanesThatWereEmptyAreAskedFirstAndNoneTwice() {
    stored.put(PriorityLane.NORMAL, 100);
    assertThat(choose()).hasSize(10);

    assertThat(choose()).hasSize(10);
    assertThat(asked).containsExactly(PriorityLane.HIGH, PriorityLane.BULK, PriorityLane.NORMAL);
  }

  @Test
  void whatIsLeftOverGoesUpFirstThoughALowerLaneIsAskedBefore() {
    stored.put(PriorityLane.NORMAL, 100);
    choose();
    stored.put(PriorityLane.BULK, 100);

    List<PriorityLane> chosen = choose();

    assertThat(asked).startsWith(PriorityLane.HIGH, PriorityLane.BULK);
    assertThat(count(chosen, PriorityLane.NORMAL)).isEqualTo(9);
    assertThat(count(chosen, PriorityLane.BULK)).isEqualTo(1);
  }

  @Test
  void aLaneThatWasEmptyComesToItsShareAtOnce() {
    stored.put(PriorityLane.NORMAL, 100);
    choose();
    stored.put(PriorityLane.HIGH, 100);

    List<PriorityLane> chosen = choose();

    assertThat(count(chosen, PriorityLane.HIGH)).isGreaterThanOrEqualTo(6);
    assertThat(chosen).hasSize(10);
    assertThat(chosen.get(0)).isEqualTo(PriorityLane.HIGH);
  }
}
