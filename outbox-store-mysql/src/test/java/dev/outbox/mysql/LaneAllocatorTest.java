package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.State;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.Lane;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LaneAllocatorTest {

  private final LaneAllocator turns = new LaneAllocator();
  private final Map<Lane, Integer> stored = new EnumMap<>(Lane.class);
  private final List<Lane> asked = new ArrayList<>();

  private List<Lane> choose() {
    asked.clear();
    return turns.choose(
        new ClaimRequest(
            Emails.NODE,
            State.ACCEPTED,
            Map.of(Lane.HIGH, 6, Lane.NORMAL, 3, Lane.BULK, 1),
            1 << 20),
        (lane, limit) -> {
          asked.add(lane);
          return Collections.nCopies(Math.min(limit, stored.getOrDefault(lane, 0)), lane);
        });
  }

  private static int count(List<Lane> chosen, Lane lane) {
    return Collections.frequency(chosen, lane);
  }

  @Test
  void eachLaneGetsItsShare() {
    stored.putAll(Map.of(Lane.HIGH, 100, Lane.NORMAL, 100, Lane.BULK, 100));

    List<Lane> chosen = choose();

    assertThat(count(chosen, Lane.HIGH)).isEqualTo(6);
    assertThat(count(chosen, Lane.NORMAL)).isEqualTo(3);
    assertThat(count(chosen, Lane.BULK)).isEqualTo(1);
  }

  @Test
  void whatIsLeftOverGoesToTheLanesInTheirOrder() {
    stored.putAll(Map.of(Lane.HIGH, 7, Lane.BULK, 100));

    List<Lane> chosen = choose();

    assertThat(count(chosen, Lane.HIGH)).isEqualTo(7);
    assertThat(count(chosen, Lane.BULK)).isEqualTo(3);
  }

  @Test
  void lanesThatWereEmptyAreAskedFirstAndNoneTwice() {
    stored.put(Lane.NORMAL, 100);
    assertThat(choose()).hasSize(10);

    assertThat(choose()).hasSize(10);
    assertThat(asked).containsExactly(Lane.HIGH, Lane.BULK, Lane.NORMAL);
  }

  @Test
  void whatIsLeftOverGoesUpFirstThoughALowerLaneIsAskedBefore() {
    stored.put(Lane.NORMAL, 100);
    choose();
    stored.put(Lane.BULK, 100);

    List<Lane> chosen = choose();

    assertThat(asked).startsWith(Lane.HIGH, Lane.BULK);
    assertThat(count(chosen, Lane.NORMAL)).isEqualTo(9);
    assertThat(count(chosen, Lane.BULK)).isEqualTo(1);
  }

  @Test
  void aLaneThatWasEmptyComesToItsShareAtOnce() {
    stored.put(Lane.NORMAL, 100);
    choose();
    stored.put(Lane.HIGH, 100);

    List<Lane> chosen = choose();

    assertThat(count(chosen, Lane.HIGH)).isGreaterThanOrEqualTo(6);
    assertThat(chosen).hasSize(10);
    assertThat(chosen.get(0)).isEqualTo(Lane.HIGH);
  }
}
