package dev.outbox.callback;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a receiver answered.
 *
 * @param status the status code
 * @param headers the headers by their names in lower case, of repeated ones the first
 * @param body the beginning of the body as text; null if it is blank
 */
record HttpResponse(int status, Map<String, String> headers, @Nullable String body) {

  HttpResponse {
    headers = Map.copyOf(headers);
  }

  /**
   * Returns how long the receiver asks us to wait, given in seconds or as a date; null if it does
   * not, or in a way that nobody can read. A date is compared with the receiver's own clock where
   * it shows it.
   */
  @Nullable Duration retryAfter(Clock clock) {
    String value = headers.get("retry-after");
    if (value == null) {
      return null;
    }
    if (value.matches("\\d+")) {
      // Longer than anybody waits; the outbox cuts it further.
      return Duration.ofSeconds(value.length() > 9 ? 999_999_999 : Long.parseLong(value));
    }
    Instant until = date(value);
    if (until == null) {
      return null;
    }
    Instant now = date(headers.getOrDefault("date", ""));
    Duration wait = Duration.between(now == null ? clock.instant() : now, until);
    return wait.isNegative() ? Duration.ZERO : wait;
  }

  private static @Nullable Instant date(String text) {
    try {
      return DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, Instant::from);
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** Shows the status alone. */
  @Override
  public String toString() {
    return "Answer[" + status + "]";
  }
}
