package dev.outbox.retry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text form of a schedule, such as {@code 1m,5m*2,1h*3}. */
final class RetryScheduleParser {

  private static final Pattern ENTRY = Pattern.compile("([^*]+)(?:\\*([0-9]{1,4}))?");

  private RetryScheduleParser() {}

  static FixedDelays parse(String text) {
    List<Duration> delays = new ArrayList<>();
    int start = 0;
    for (String raw : text.split(",", -1)) {
      String entry = raw.strip();
      int position = start + Math.max(0, raw.indexOf(entry)) + 1;
      delays.addAll(parseEntry(entry, position));
      if (delays.size() >= FixedDelays.MOST_ATTEMPTS) {
        throw refusal(
            entry, position, "makes more than " + FixedDelays.MOST_ATTEMPTS + " attempts");
      }
      start += raw.length() + 1;
    }
    return new FixedDelays(delays);
  }

  private static List<Duration> parseEntry(String entry, int position) {
    Matcher matcher = ENTRY.matcher(entry);
    Duration delay = matcher.matches() ? DelayFormat.parse(matcher.group(1)) : null;
    if (delay == null) {
      throw refusal(entry, position, "is not a wait of 1ms to 365d such as 30s, 5m or 1h*3");
    }
    int times = matcher.group(2) == null ? 1 : Integer.parseInt(matcher.group(2));
    if (times == 0) {
      throw refusal(entry, position, "is repeated zero times");
    }
    return Collections.nCopies(times, delay);
  }

  private static IllegalArgumentException refusal(String entry, int position, String problem) {
    return new IllegalArgumentException(
        "retry schedule: '" + entry + "' at position " + position + " " + problem);
  }
}
