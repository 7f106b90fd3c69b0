package dev.outbox.mysql;

import dev.outbox.email.State;
import dev.outbox.store.Lane;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where to begin looking for due emails: a little before the last one that was claimed. The index
 * entries before it are dead, but as long as any transaction elsewhere has an old snapshot they are
 * still there to be stepped over. Callers that store at the same moment commit in any order, hence
 * the little; twice a second a look starts from the very beginning, for what was committed later
 * than that. Safe for many threads.
 */
final class LowWater {

  static final Duration OVERLAP = Duration.ofMillis(200);

  private static final Duration LOOK_BACK_EVERY = Duration.ofMillis(500);

  private final LongSupplier nanos;
  private final Map<Queue, Mark> marks = new ConcurrentHashMap<>();

  private record Queue(State from, Lane lane) {}

  private record Mark(Instant due, long lookedBackAt) {}

  LowWater(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Returns the due time to begin at. */
  Instant since(State from, Lane lane) {
    Mark mark = marks.get(new Queue(from, lane));
    return mark == null || nanos.getAsLong() - mark.lookedBackAt >= LOOK_BACK_EVERY.toNanos()
        ? Instant.EPOCH
        : mark.due.minus(OVERLAP);
  }

  /**
   * Remembers how far a committed claim came.
   *
   * @param since where it had begun
   * @param reached the due time of the last email it took; null if there was none
   */
  void reached(State from, Lane lane, Instant since, @Nullable Instant reached) {
    marks.compute(
        new Queue(from, lane),
        (queue, before) -> {
          boolean lookedBack = since.equals(Instant.EPOCH);
          long at = lookedBack || before == null ? nanos.getAsLong() : before.lookedBackAt;
          Instant kept = before == null ? Instant.EPOCH.plus(OVERLAP) : before.due;
          return new Mark(reached == null ? kept : reached, at);
        });
  }

  /** Forgets all marks, as if the store had just been opened. */
  void forget() {
    marks.clear();
  }
}
