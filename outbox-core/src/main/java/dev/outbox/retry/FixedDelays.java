package dev.outbox.retry;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;

/** A fixed list of waits. */
record FixedDelays(List<Duration> delays) implements RetryPolicy {

  static final int MOST_ATTEMPTS = 1000;

  static final RetryPolicy NEVER = new FixedDelays(List.of());
  static final RetryPolicy STANDARD = RetryScheduleParser.parse("1m,5m,15m,1h,2h,4h,8h,12h");

  FixedDelays {
    delays = List.copyOf(delays);
  }

  @Override
  public Optional<Duration> delayAfter(int attempts) {
    requireMade(attempts);
    return attempts > delays.size() ? Optional.empty() : Optional.of(delays.get(attempts - 1));
  }

  @Override
  public int maxAttempts() {
    return delays.size() + 1;
  }

  static void requireMade(int attempts) {
    if (attempts < 1) {
      throw new IllegalArgumentException("attempts must be at least 1, not " + attempts);
    }
  }

  @Override
  public String toString() {
    if (delays.isEmpty()) {
      return "never";
    }
    StringJoiner entries = new StringJoiner(",");
    for (int from = 0; from < delays.size(); ) {
      int to = from + 1;
      while (to < delays.size() && delays.get(to).equals(delays.get(from))) {
        to++;
      }
      String delay = DelayFormat.of(delays.get(from));
      entries.add(to - from == 1 ? delay : delay + "*" + (to - from));
      from = to;
    }
    return entries.toString();
  }
}
