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
 * Where to begin looking for due emails: at the last one that was claimed. The index entries before
 * it are dead, but until they are purged, which an old snapshot elsewhere prevents, they are there
 * to be stepped over. Callers that store at the same moment commit in any order, so that a look
 * begins a little before the last one if that one is young; in a backlog nobody is about to commit
 * what was due long ago, and thousands of entries lie in that little. Twice a second a look starts
 * from the very beginning, for what was committed later than that. Safe for many threads.
 */
final class LowWater {

  static final Duration OVERLAP = Duration.ofMillis(200);

  /** How long after its due time an email may well be committed. */
  static final Duration YOUTH = Duration.ofSeconds(1);

  private static final Duration LOOK_BACK_EVERY = Duration.ofMillis(500);

  private final LongSupplier nanos;
  private final Map<Queue, Mark> marks = new ConcurrentHashMap<>();

  private record Queue(State from, Lane lane) {}

  private record Mark(Instant start, long lookedBackAt) {}

  /**
   * How far a claim came.
   *
   * @param due the due time of the last email it took
   * @param now the database's time then
   */
  record Reached(Instant due, Instant now) {

    private Instant next() {
      Instant overlapping = due.minus(OVERLAP);
      Instant young = now.minus(YOUTH);
      return young.isBefore(overlapping) ? overlapping : young.isBefore(due) ? young : due;
    }
  }

  LowWater(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Returns the due time to begin at. */
  Instant since(State from, Lane lane) {
    Mark mark = marks.get(new Queue(from, lane));
    return mark == null || nanos.getAsLong() - mark.lookedBackAt >= LOOK_BACK_EVERY.toNanos()
        ? Instant.EPOCH
        : mark.start;
  }

  /**
   * Remembers how far a committed claim came.
   *
   * @param since where it had begun
   * @param reached how far; null if it took nothing
   */
  void reached(State from, Lane lane, Instant since, @Nullable Reached reached) {
    marks.compute(
        new Queue(from, lane),
        (queue, before) -> {
          boolean lookedBack = since.equals(Instant.EPOCH);
          long at = lookedBack || before == null ? nanos.getAsLong() : before.lookedBackAt;
          Instant kept = before == null ? Instant.EPOCH : before.start;
          return new Mark(reached == null ? kept : reached.next(), at);
        });
  }

  /** Forgets all marks, as if the store had just been opened. */
  void forget() {
    marks.clear();
  }
}
