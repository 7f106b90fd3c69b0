package dev.outbox.javalin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Ten minutes in slots of ten seconds, the newest last. */
class ThroughputHistoryTest {

  private final AtomicLong nanos = new AtomicLong(-Duration.ofMinutes(3).toNanos());
  private final ThroughputHistory throughput = new ThroughputHistory(nanos::get);

  @Test
  void theNewestSlotComesLastAndOldOnesFallOut() {
    throughput.sent();
    throughput.sent();
    throughput.failed();
    assertThat(sent()).hasSize(60).endsWith(0, 2);

    advance(20);
    throughput.sent();
    assertThat(sent()).endsWith(2, 0, 1);

    advance(590);
    assertThat(sent()).startsWith(1, 0).endsWith(0);
    advance(10);
    assertThat(sent()).containsOnly(0);
  }

  @Test
  void aLongSilenceLeavesNothingBehind() {
    throughput.sent();
    throughput.failed();

    advance(86_400);

    assertThat(sent()).containsOnly(0);
    assertThat(throughput.json().get("failed")).allMatch(each -> each.intValue() == 0);
  }

  private void advance(int seconds) {
    nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
  }

  private List<Integer> sent() {
    List<Integer> sent = new ArrayList<>();
    throughput.json().get("sent").forEach(each -> sent.add(each.intValue()));
    return sent;
  }
}
