package dev.outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.NodeId;
import dev.outbox.store.NodeBeat;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeWatchTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final NodeId self = NodeId.incarnate("self");
  private final NodeBeat other = new NodeBeat(NodeId.incarnate("other"), 7);
  private final NodeWatch watch = new NodeWatch(self, Duration.ofSeconds(15));

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
    watch.look(List.of(new NodeBeat(other.node(), 6)), 14 * SECOND, 14 * SECOND);

    assertThat(look(15, 16)).isEmpty();
    assertThat(look(30, 30)).isEmpty();
    assertThat(look(31, 31)).containsExactly(other);
  }

  @Test
  void itsOwnCounterIsNeverReturned() {
    NodeBeat own = new NodeBeat(self, 1);
    watch.look(List.of(own), 0, 0);

    assertThat(watch.look(List.of(own), 60 * SECOND, 60 * SECOND)).isEmpty();
  }

  @Test
  void afterAResetEveryObservationStartsAgain() {
    look(0, 0);
    watch.blind();

    assertThat(look(15, 15)).isEmpty();
    assertThat(look(30, 30)).containsExactly(other);
  }

  private List<NodeBeat> look(long before, long after) {
    return watch.look(List.of(other), before * SECOND, after * SECOND);
  }
}
