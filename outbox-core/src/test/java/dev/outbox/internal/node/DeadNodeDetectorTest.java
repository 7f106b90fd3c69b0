package dev.outbox.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.NodeId;
import dev.outbox.store.NodeHeartbeat;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeadNodeDetectorTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final NodeId self = NodeId.incarnate("self");
  private final NodeHeartbeat other = new NodeHeartbeat(NodeId.incarnate("other"), 7);
  private final DeadNodeDetector watch = new DeadNodeDetector(self, Duration.ofSeconds(15));

  @Test
  void aCounterThatHasNotChangedForALeaseIsReturned() {
    assertThat(look(0, 0)).isEmpty();
    assertThat(look(14, 14)).isEmpty();
    assertThat(look(15, 15)).containsExactly(other);
  }

  @Test
  void theTimeWithinACallDoesNotCountAsObserved() {
    look(0, 1);

    assertThat(look(15, 17)).as("unchanged from 1 s to 15 s for sure").isEmpty();
    assertThat(look(16, 17)).containsExactly(other);
  }

  @Test
  void aChangedCounterIsObservedFromTheEndOfTheCallOn() {
    look(0, 0);
    watch.observe(List.of(new NodeHeartbeat(other.node(), 6)), 14 * SECOND, 14 * SECOND);

    assertThat(look(15, 16)).isEmpty();
    assertThat(look(30, 30)).isEmpty();
    assertThat(look(31, 31)).containsExactly(other);
  }

  @Test
  void itsOwnCounterIsNeverReturned() {
    NodeHeartbeat own = new NodeHeartbeat(self, 1);
    watch.observe(List.of(own), 0, 0);

    assertThat(watch.observe(List.of(own), 60 * SECOND, 60 * SECOND)).isEmpty();
  }

  @Test
  void afterAResetEveryObservationStartsAgain() {
    look(0, 0);
    watch.resetObservations();

    assertThat(look(15, 15)).isEmpty();
    assertThat(look(30, 30)).containsExactly(other);
  }

  private List<NodeHeartbeat> look(long before, long after) {
    return watch.observe(List.of(other), before * SECOND, after * SECOND);
  }
}
