package dev.outbox.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.email.NodeId;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.StoreException;
import dev.outbox.transport.SendPermit;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeLeaseTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  /** How long the store takes to answer a beat; negative if it does not. */
  private long answerTime;

  private long now = Long.MAX_VALUE - 20 * SECOND;
  private final NodeLease lease =
      new NodeLease(NodeId.incarnate("n"), store(), () -> now, Duration.ofSeconds(15));

  @Test
  void withoutABeatNothingMayBeSent() {
    assertThat(lease.isValid()).isFalse();
    assertThat(lease.permit(now).isValid()).isFalse();
  }

  @Test
  void itStandsForHalfItsLengthAfterABeat() {
    lease.beat();
    SendPermit permit = lease.permit(now);
    now += 7 * SECOND;
    assertThat(permit.isValid()).isTrue();
    now += SECOND;
    assertThat(permit.isValid()).isFalse();

    lease.beat();
    assertThat(permit.isValid()).as("after a beat that came in time").isTrue();
  }

  @Test
  void aPermitFromBeforeAFreezeNeverStandsAgain() {
    lease.beat();
    SendPermit before = lease.permit(now);
    now += 15 * SECOND;

    lease.beat();

    assertThat(lease.isValid()).isTrue();
    assertThat(before.isValid()).isFalse();
    assertThat(lease.permit(now).isValid()).isTrue();
    now += 2 * SECOND;
    lease.beat();
    assertThat(before.isValid()).as("at a later beat").isFalse();
  }

  @Test
  void theTimeInWhichTheStoreDidNotAnswerCounts() {
    lease.beat();
    SendPermit before = lease.permit(now);
    now += 5 * SECOND;
    answerTime = 10 * SECOND;

    lease.beat();

    assertThat(before.isValid()).isFalse();
    assertThat(lease.isValid()).as("its beat is older than half a lease by now").isFalse();
  }

  @Test
  void aBeatThatFailedIsNone() {
    lease.beat();
    now += 8 * SECOND;
    answerTime = -1;

    assertThatThrownBy(lease::beat).isInstanceOf(StoreException.class);

    assertThat(lease.isValid()).isFalse();
  }

  @Test
  void itAgesBeforeItEnds() {
    lease.beat();
    assertThat(lease.isAging()).isFalse();
    now += 4 * SECOND;
    assertThat(lease.isAging()).isTrue();
    now += 4 * SECOND;
    assertThat(lease.isAging()).as("over").isFalse();
  }

  private OutboxStore store() {
    return (OutboxStore)
        Proxy.newProxyInstance(
            OutboxStore.class.getClassLoader(),
            new Class<?>[] {OutboxStore.class},
            (proxy, method, args) -> {
              if (answerTime < 0) {
                throw new StoreException(StoreException.Reason.UNAVAILABLE, "unavailable", null);
              }
              now += answerTime;
              return List.of();
            });
  }
}
