package dev.outbox.callback;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How long a receiver asks us to wait. */
class HttpResponseTest {

  private static final Clock NOON =
      Clock.fixed(Instant.parse("2030-01-01T12:00:00Z"), ZoneOffset.UTC);

  @Test
  void secondsAreSeconds() {
    assertThat(wait(Map.of("retry-after", "120"))).isEqualTo(Duration.ofMinutes(2));
    assertThat(wait(Map.of("retry-after", "0"))).isEqualTo(Duration.ZERO);
    assertThat(wait(Map.of("retry-after", "9".repeat(40)))).isGreaterThan(Duration.ofDays(9_999));
  }

  @Test
  void aDateCountsFromTheReceiversOwnClock() {
    Map<String, String> headers =
        Map.of(
            "retry-after",
            "Fri, 01 Jan 2027 00:10:00 GMT",
            "date",
            "Fri, 01 Jan 2027 00:00:00 GMT");

    assertThat(wait(headers)).isEqualTo(Duration.ofMinutes(10));
  }

  @Test
  void aDateWithoutTheReceiversClockCountsFromOurs() {
    assertThat(wait(Map.of("retry-after", "Tue, 1 Jan 2030 12:05:00 GMT")))
        .isEqualTo(Duration.ofMinutes(5));
    assertThat(wait(Map.of("retry-after", "Tue, 1 Jan 2030 11:00:00 GMT")))
        .as("in the past")
        .isEqualTo(Duration.ZERO);
  }

  @Test
  void whatNobodyCanReadIsNoWish() {
    assertThat(wait(Map.of())).isNull();
    assertThat(wait(Map.of("retry-after", "soon"))).isNull();
    assertThat(wait(Map.of("retry-after", "-5"))).isNull();
  }

  private static @Nullable Duration wait(Map<String, String> headers) {
    return new HttpResponse(503, headers, "secret").retryAfter(NOON);
  }

  @Test
  void itShowsNothingOfTheBody() {
    assertThat(new HttpResponse(503, Map.of("x", "secret"), "secret")).hasToString("Answer[503]");
  }
}
