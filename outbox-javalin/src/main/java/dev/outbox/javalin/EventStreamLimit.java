package dev.outbox.javalin;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The number of open event streams, limited for each caller and for all callers together.
 * Thread-safe.
 */
final class EventStreamLimit {

  private final int total;
  private final int perCaller;
  private final Map<String, Integer> open = new HashMap<>();
  private int sum;

  EventStreamLimit(int total, int perCaller) {
    this.total = total;
    this.perCaller = perCaller;
  }

  /**
   * Counts one more stream of a caller.
   *
   * @return what ends the stream's count; calls after the first have no effect
   * @throws ProblemException 429 if the caller has too many streams, 503 if all callers together do
   */
  synchronized Runnable open(String caller) {
    if (open.getOrDefault(caller, 0) >= perCaller) {
      throw ProblemDetails.tooManyStreams(perCaller).asException();
    }
    if (sum >= total) {
      throw ProblemDetails.unavailable("%d event streams are open; no more can be".formatted(total))
          .asException();
    }
    sum++;
    open.merge(caller, 1, Integer::sum);
    AtomicBoolean closed = new AtomicBoolean();
    return () -> {
      if (closed.compareAndSet(false, true)) {
        close(caller);
      }
    };
  }

  private synchronized void close(String caller) {
    sum--;
    open.computeIfPresent(caller, (name, count) -> count == 1 ? null : count - 1);
  }
}
