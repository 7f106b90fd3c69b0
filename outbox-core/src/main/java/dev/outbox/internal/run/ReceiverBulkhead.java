package dev.outbox.internal.run;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Shares the threads for callbacks among their receivers, so that a slow one does not hold up the
 * others: the next free thread goes to the receiver with the fewest calls under way, and one
 * receiver never has all threads. What would wait for long is not kept here, where it would take
 * the room of others, but goes back to the store until about its turn. Safe for many threads.
 */
final class ReceiverBulkhead {

  /** The longest that a call may wait here, as far as can be told. */
  private static final long PATIENCE = Duration.ofMillis(200).toNanos();

  /** No call goes back to the store for longer: its receiver may recover. */
  private static final long LONGEST = Duration.ofMinutes(5).toNanos();

  private static final long MEMORY = Duration.ofMinutes(1).toNanos();

  private final Consumer<StageTask> pool;
  private final LongSupplier nanos;
  private final int most;
  private final Map<String, ReceiverQueue> lines = new HashMap<>();
  private final Set<StageTask> replaced = new HashSet<>();
  private int free;

  ReceiverBulkhead(int workers, Consumer<StageTask> pool, LongSupplier nanos) {
    this.pool = pool;
    this.nanos = nanos;
    this.free = workers;
    this.most = Math.max(1, workers - workers / 4);
  }

  /**
   * Takes a call to be made now or soon, which has to report its end.
   *
   * @return empty if it was taken; else for how long it is to go back to the store
   */
  synchronized Optional<Duration> take(String receiver, StageTask call) {
    long now = nanos.getAsLong();
    ReceiverQueue line = lines.computeIfAbsent(receiver, name -> new ReceiverQueue(now));
    long wait = line.waiting.size() * line.timePerCall(now);
    if (wait > PATIENCE) {
      return Optional.of(line.turnAfter(wait, now));
    }
    line.waiting.add(call);
    connect();
    return Optional.empty();
  }

  /** Says that a call has ended. */
  synchronized void ended(String receiver, StageTask call) {
    if (!replaced.remove(call)) {
      free++;
    }
    long now = nanos.getAsLong();
    ReceiverQueue line = lines.get(receiver);
    if (line != null) {
      line.ended(call, now);
    }
    lines.values().removeIf(each -> each.isForgotten(now));
    connect();
  }

  /** Makes up for the thread of a call that is stuck, until that call has ended. */
  synchronized void replace(String receiver, StageTask call) {
    ReceiverQueue line = lines.get(receiver);
    if (line != null && line.running.containsKey(call) && replaced.add(call)) {
      free++;
      connect();
    }
  }

  /** Returns what has not been started, and forgets it. */
  synchronized List<StageTask> clear() {
    List<StageTask> left = new ArrayList<>();
    for (ReceiverQueue line : lines.values()) {
      left.addAll(line.waiting);
      line.waiting.clear();
    }
    return left;
  }

  /** Gives threads to what waits, as long as there are any. */
  private void connect() {
    while (free > 0) {
      Optional<ReceiverQueue> next =
          lines.values().stream()
              .filter(line -> !line.waiting.isEmpty() && line.running.size() < most)
              .min(Comparator.comparing(line -> line.running.size()));
      if (next.isEmpty()) {
        return;
      }
      StageTask call = next.get().waiting.remove();
      next.get().running.put(call, nanos.getAsLong());
      free--;
      pool.accept(call);
    }
  }

  /** The calls of one receiver. */
  private final class ReceiverQueue {

    private final Queue<StageTask> waiting = new ArrayDeque<>();

    /** When each began, the oldest first. */
    private final Map<StageTask, Long> running = new LinkedHashMap<>();

    /** How long calls took of late. */
    private long usual;

    /** When the turn comes of what went back to the store last, or the last call ended. */
    private long lastTurn;

    ReceiverQueue(long now) {
      this.lastTurn = now;
    }

    /** Returns how much time passes between the ends of two calls; the oldest may be stuck. */
    long timePerCall(long now) {
      long oldest = running.isEmpty() ? 0 : now - running.values().iterator().next();
      return Math.max(usual, oldest) / most;
    }

    Duration turnAfter(long wait, long now) {
      long first = now + wait;
      lastTurn = (lastTurn - first > 0 ? lastTurn : first) + timePerCall(now);
      return Duration.ofNanos(Math.min(lastTurn - now, LONGEST));
    }

    void ended(StageTask call, long now) {
      Long began = running.remove(call);
      if (began != null) {
        long took = now - began;
        usual = usual == 0 ? took : usual + (took - usual) / 4;
      }
      if (now - lastTurn > 0) {
        lastTurn = now;
      }
    }

    /** How long its calls take is remembered for a while, for the next ones. */
    boolean isForgotten(long now) {
      return waiting.isEmpty() && running.isEmpty() && now - lastTurn > MEMORY;
    }
  }
}
