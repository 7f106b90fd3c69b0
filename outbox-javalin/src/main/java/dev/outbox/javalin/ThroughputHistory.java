package dev.outbox.javalin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How many emails this node has sent, and given up, in each ten seconds of the last ten minutes.
 */
final class ThroughputHistory {

  private static final int SLOTS = 60;
  private static final Duration SLOT = Duration.ofSeconds(10);

  private final LongSupplier nanos;
  private final int[] sent = new int[SLOTS];
  private final int[] failed = new int[SLOTS];
  private long current;

  ThroughputHistory(LongSupplier nanos) {
    this.nanos = nanos;
    this.current = slot();
  }

  synchronized void sent() {
    sent[now()]++;
  }

  synchronized void failed() {
    failed[now()]++;
  }

  synchronized ObjectNode json() {
    int newest = now();
    ObjectNode json = Json.object().put("slotSeconds", SLOT.toSeconds());
    ArrayNode good = json.putArray("sent");
    ArrayNode bad = json.putArray("failed");
    for (int i = 1; i <= SLOTS; i++) {
      good.add(sent[(newest + i) % SLOTS]);
      bad.add(failed[(newest + i) % SLOTS]);
    }
    return json;
  }

  /** Returns the place of the present slot, after emptying those in which nothing was counted. */
  private int now() {
    long slot = slot();
    for (long each = Math.max(current + 1, slot - SLOTS + 1); each <= slot; each++) {
      int place = (int) Math.floorMod(each, (long) SLOTS);
      sent[place] = 0;
      failed[place] = 0;
    }
    current = Math.max(current, slot);
    return (int) Math.floorMod(current, (long) SLOTS);
  }

  private long slot() {
    return Math.floorDiv(nanos.getAsLong(), SLOT.toNanos());
  }
}
