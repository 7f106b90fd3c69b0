package dev.outbox.mysql;

import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import dev.outbox.store.PriorityLane;
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
 * begins a little before the last one if that one is young and was the last there was. In a backlog
 * thousands of entries lie in that little: there nobody is about to commit what was due long ago,
 * and what comes late among the young has company that waits as well. Twice a second a look starts
 * from the very beginning, for what was committed later than that. Safe for many threads.
 */
final class ClaimWatermarks {

  static final Duration OVERLAP = Duration.ofMillis(200);

  /** How long after its due time an email may well be committed. */
  static final Duration YOUTH = Duration.ofSeconds(1);

  private static final Duration LOOK_BACK_EVERY = Duration.ofMillis(500);

  private final LongSupplier nanos;
  private final Map<Queue, Mark> marks = new ConcurrentHashMap<>();

  private record Queue(State from, PriorityLane lane) {}

  private record Mark(Start start, long lookedBackAt, boolean more) {}

  /**
   * Where a look begins.
   *
   * @param due the first due time
   * @param first the email with which it begins among those that are due at that very time, which
   *     all have that were stored by one statement; null to begin with the first of them
   */
  record Start(Instant due, @Nullable EmailId first) {

    static final Start BEGINNING = new Start(Instant.EPOCH, null);
  }

  /**
   * How far a claim came.
   *
   * @param due the due time of the last email it took
   * @param id that email
   * @param now the database's time then
   * @param more whether it took as many as it wanted, so that there may be more
   */
  record Reached(Instant due, EmailId id, Instant now, boolean more) {

    private Start next() {
      if (more) {
        return new Start(due, id);
      }
      Instant overlapping = due.minus(OVERLAP);
      Instant young = now.minus(YOUTH);
      if (young.isBefore(overlapping)) {
        return new Start(overlapping, null);
      }
      return young.isBefore(due) ? new Start(young, null) : new Start(due, id);
    }

    /** Returns whether it is further than another one. */
    boolean isBeyond(Reached other) {
      int byTime = due.compareTo(other.due);
      return byTime > 0 || (byTime == 0 && id.compareTo(other.id) > 0);
    }
  }

  ClaimWatermarks(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Returns whether the last claim took as many as it wanted, so that there may be more. */
  boolean isBacklog(State from, PriorityLane lane) {
    Mark mark = marks.get(new Queue(from, lane));
    return mark != null && mark.more;
  }

  /** Returns where to begin. */
  Start start(State from, PriorityLane lane) {
    Mark mark = marks.get(new Queue(from, lane));
    return mark == null || nanos.getAsLong() - mark.lookedBackAt >= LOOK_BACK_EVERY.toNanos()
        ? Start.BEGINNING
        : mark.start;
  }

  /**
   * Remembers how far a committed claim came.
   *
   * @param start where it had begun
   * @param reached how far; null if it took nothing
   */
  void reached(State from, PriorityLane lane, Start start, @Nullable Reached reached) {
    marks.compute(
        new Queue(from, lane),
        (queue, before) -> {
          boolean lookedBack = start.equals(Start.BEGINNING);
          long at = lookedBack || before == null ? nanos.getAsLong() : before.lookedBackAt;
          if (reached != null) {
            return new Mark(reached.next(), at, reached.more);
          }
          return new Mark(before == null ? Start.BEGINNING : before.start, at, false);
        });
  }

  /** Forgets all marks, as if the store had just been opened. */
  void forget() {
    marks.clear();
  }
}
