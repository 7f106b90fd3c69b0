package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.PriorityLane;
import dev.outbox.testsupport.MariaDbServer;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What senders commit while a claim looks a second time does not confuse it. */
class ClaimRaceTest {

  private static final int EMAILS = 1_000;

  /** The high lane leaves its share to the other, which is then looked at twice. */
  private static final Map<PriorityLane, Integer> SHARES =
      Map.of(PriorityLane.HIGH, 20, PriorityLane.NORMAL, 2);

  private final AtomicBoolean done = new AtomicBoolean();

  @Test
  void anEmailIsGivenOnceThoughOthersComeBeforeItMeanwhile() {
    NodeId node = NodeId.incarnate("node");
    try (MySqlStore store =
        MySqlStore.builder(MariaDbServer.shared().url(), "root", "")
            .tablePrefix("claims_")
            .applySchema()
            .build()) {
      CompletableFuture<Void> senders =
          CompletableFuture.allOf(
              CompletableFuture.runAsync(() -> send(store), new OwnThread()),
              CompletableFuture.runAsync(() -> send(store), new OwnThread()));
      Set<Object> claimed = new HashSet<>();
      while (claimed.size() < EMAILS) {
        assertThat(senders).isNotDone();
        List<Claim> claims = store.claim(new ClaimRequest(node, State.ACCEPTED, SHARES, 1L << 30));
        assertThat(claims).extracting(Claim::id).doesNotHaveDuplicates();
        claims.forEach(claim -> assertThat(claimed.add(claim.id())).isTrue());
      }
      done.set(true);
      senders.join();
    } finally {
      done.set(true);
    }
  }

  /** Stores emails each of which has been due for longer than all before. */
  private void send(MySqlStore store) {
    Instant start = Instant.now();
    for (int i = 1; !done.get(); i++) {
      store.insert(List.of(Samples.sendAt(start.minusSeconds(i))));
    }
  }
}
