package dev.outbox.retry;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryPolicyTest {

  private static List<Duration> delaysOf(RetryPolicy policy) {
    List<Duration> delays = new ArrayList<>();
    Optional<Duration> delay = policy.delayAfter(1);
    while (delay.isPresent()) {
      delays.add(delay.get());
      delay = policy.delayAfter(delays.size() + 1);
    }
    return delays;
  }

  @Test
  void aScheduleWaitsAsWritten() {
    RetryPolicy policy = RetryPolicy.schedule("500ms,30s, 1m ,5m*2,1h,2d");

    assertThat(delaysOf(policy))
        .containsExactly(
            ofMillis(500),
            ofSeconds(30),
            ofMinutes(1),
            ofMinutes(5),
            ofMinutes(5),
            ofHours(1),
            ofDays(2));
    assertThat(policy.maxAttempts()).isEqualTo(8);
    assertThat(policy.delayAfter(8)).isEmpty();
    assertThat(policy.delayAfter(Integer.MAX_VALUE)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1m,5m*2,1h*3 | 1m,5m*2,1h*3",
        "60s,5m,300s | 1m,5m*2",
        "24h | 1d",
        "1500ms, 90s | 1500ms,90s",
        "1m*1 | 1m"
      })
  void aScheduleShowsItsShortestText(String text, String shortest) {
    assertThat(RetryPolicy.schedule(text)).hasToString(shortest);
    assertThat(RetryPolicy.schedule(shortest)).hasToString(shortest);
    assertThat(RetryPolicy.schedule(text)).isEqualTo(RetryPolicy.schedule(shortest));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "1m,5x,1h | '5x' at position 4 is not a wait",
        "1m, 5,1h | '5' at position 5 is not a wait",
        "1m,,1h | '' at position 4 is not a wait",
        "1m, | '' at position 4 is not a wait",
        "0s | '0s' at position 1 is not a wait",
        "-5m | '-5m' at position 1 is not a wait",
        "1.5h | '1.5h' at position 1 is not a wait",
        "366d | '366d' at position 1 is not a wait",
        "99999999999h | '99999999999h' at position 1 is not a wait",
        "999999999999999999999h | at position 1 is not a wait",
        "5m* | '5m*' at position 1 is not a wait",
        "5m*2*2 | '5m*2*2' at position 1 is not a wait",
        "5m*-1 | '5m*-1' at position 1 is not a wait",
        "5m*0 | '5m*0' at position 1 is repeated zero times",
        "1s,5m*999 | '5m*999' at position 4 makes more than 1000 attempts",
        "5m*99999 | '5m*99999' at position 1 is not a wait",
        "٥m | '٥m' at position 1 is not a wait"
      })
  void aRefusedScheduleNamesTheEntryAndItsPosition(String text, String problem) {
    assertThatThrownBy(() -> RetryPolicy.schedule(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("retry schedule: ")
        .hasMessageContaining(problem);
  }

  @Test
  void anEmptyScheduleIsRefused() {
    assertThatThrownBy(() -> RetryPolicy.schedule(""))
        .hasMessageContaining("'' at position 1 is not a wait");
  }

  @Test
  void aThousandAttemptsAreTheMost() {
    assertThat(RetryPolicy.schedule("5m*999").maxAttempts()).isEqualTo(1000);
  }

  @Test
  void neverIsOneAttempt() {
    assertThat(RetryPolicy.never().maxAttempts()).isEqualTo(1);
    assertThat(RetryPolicy.never().delayAfter(1)).isEmpty();
    assertThat(RetryPolicy.never()).hasToString("never");
  }

  @Test
  void theStandardIsNineAttemptsWithin27Hours21Minutes() {
    assertThat(RetryPolicy.standard()).hasToString("1m,5m,15m,1h,2h,4h,8h,12h");
    assertThat(RetryPolicy.standard().maxAttempts()).isEqualTo(9);
    assertThat(delaysOf(RetryPolicy.standard()).stream().reduce(Duration.ZERO, Duration::plus))
        .isEqualTo(ofHours(27).plusMinutes(21));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
  void aPolicyIsAskedAfterAnAttempt(int attempts) {
    RetryPolicy exponential = RetryPolicy.exponential(ofSeconds(1), ofSeconds(1), 3);

    assertThatThrownBy(() -> RetryPolicy.standard().delayAfter(attempts))
        .hasMessage("attempts must be at least 1, not " + attempts);
    assertThatThrownBy(() -> exponential.delayAfter(attempts))
        .hasMessage("attempts must be at least 1, not " + attempts);
  }
}
