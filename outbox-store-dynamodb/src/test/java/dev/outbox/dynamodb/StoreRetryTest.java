package dev.outbox.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

class StoreRetryTest {

  @Test
  void waitsDoubleFromThirtyMillisecondsToASecond() {
    assertThat(List.of(0, 1, 2, 3, 4, 5, 6, 7).stream().map(StoreRetry::bound))
        .containsExactly(
            Duration.ofMillis(30),
            Duration.ofMillis(60),
            Duration.ofMillis(120),
            Duration.ofMillis(240),
            Duration.ofMillis(480),
            Duration.ofMillis(960),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1));
  }

  @Test
  void afterEightAttemptsItIsOver() {
    assertThat(waits()).as("between eight attempts").hasSize(7);
  }

  /** In a thousand rounds a wait that is drawn evenly comes near both of its ends. */
  @Test
  void everyWaitIsDrawnBetweenNothingAndItsBound() {
    List<List<Long>> rounds = Stream.generate(StoreRetryTest::waits).limit(1_000).toList();

    for (int attempt = 0; attempt < 7; attempt++) {
      int place = attempt;
      long bound = StoreRetry.bound(attempt).toMillis();
      LongSummaryStatistics drawn =
          rounds.stream().mapToLong(waits -> waits.get(place)).summaryStatistics();
      assertThat(drawn.getMin()).as("shortest wait after attempt %d", attempt).isNotNegative();
      assertThat(drawn.getMin()).isLessThan(bound / 10);
      assertThat(drawn.getMax()).as("longest").isBetween(bound * 9 / 10, bound);
    }
  }

  /** Returns the waits, in milliseconds, of a request that is throttled until it is given up. */
  private static List<Long> waits() {
    List<Long> waits = new ArrayList<>();
    assertThatThrownBy(
            () ->
                StoreRetry.run(
                    "answer",
                    attempt -> {
                      assertThat(waits).hasSize(attempt);
                      throw refusal("ThrottlingException");
                    },
                    waits::add))
        .isInstanceOf(StoreException.class)
        .hasMessage("DynamoDB did not answer: ThrottlingException");
    return waits;
  }

  @Test
  void whatTheSdkSaysIsNotRepeatedInTheCause() {
    assertThatThrownBy(
            () ->
                StoreRetry.run(
                    "answer",
                    () -> {
                      throw DynamoDbException.builder()
                          .message("cannot store ada@example.com")
                          .statusCode(400)
                          .requestId("r-1")
                          .awsErrorDetails(
                              AwsErrorDetails.builder()
                                  .errorCode("ValidationException")
                                  .errorMessage("cannot store ada@example.com")
                                  .build())
                          .build();
                    }))
        .cause()
        .hasMessage("DynamoDbException: status 400, ValidationException, request r-1")
        .hasNoCause();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ProvisionedThroughputExceededException",
        "InternalServerError",
        "ResourceInUseException",
        "RequestLimitExceeded",
        "TransactionInProgressException",
        "ThrottlingException",
        "Throttling",
        "ServiceUnavailable"
      })
  void whatPassesIsRepeated(String code) {
    assertThat(TransientErrors.passes(refusal(code))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ValidationException",
        "ConditionalCheckFailedException",
        "ResourceNotFoundException",
        "AccessDeniedException"
      })
  void whatStaysIsNot(String code) {
    AtomicInteger attempts = new AtomicInteger();

    assertThatThrownBy(
            () ->
                StoreRetry.run(
                    "answer",
                    () -> {
                      attempts.incrementAndGet();
                      throw refusal(code);
                    }))
        .isInstanceOf(StoreException.class);

    assertThat(attempts).hasValue(1);
  }

  @Test
  void aCancelledTransactionIsRepeatedOnlyIfEveryReasonPasses() {
    assertThat(TransientErrors.passes(cancelled("None", "TransactionConflict"))).isTrue();
    assertThat(TransientErrors.passes(cancelled("ThrottlingError", "TransactionConflict")))
        .isTrue();
    assertThat(TransientErrors.passes(cancelled("TransactionConflict", "ConditionalCheckFailed")))
        .isFalse();
    assertThat(TransientErrors.passes(cancelled("None", "ValidationError"))).isFalse();
    assertThat(TransientErrors.passes(cancelled("None"))).isFalse();
  }

  @Test
  void aLostConnectionAndATimeoutAreRepeated() {
    assertThat(TransientErrors.passes(ApiCallTimeoutException.create(10))).isTrue();
    assertThat(TransientErrors.passes(SdkClientException.create("reset", new IOException("reset"))))
        .isTrue();
    assertThat(TransientErrors.passes(SdkClientException.create("no credentials"))).isFalse();
  }

  @Test
  void anInterruptedThreadDoesNotTryAgain() {
    AtomicInteger attempts = new AtomicInteger();
    Thread.currentThread().interrupt();

    assertThatThrownBy(
            () ->
                StoreRetry.run(
                    "answer",
                    () -> {
                      attempts.incrementAndGet();
                      throw refusal("ThrottlingException");
                    }))
        .isInstanceOfSatisfying(
            StoreException.class,
            e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.INTERRUPTED))
        .hasMessageContaining("interrupted");

    assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    assertThat(attempts).hasValue(1);
  }

  @Test
  void aRequestThatTheSdkAbortedIsNotRepeatedAndLeavesTheThreadInterrupted() {
    AtomicInteger attempts = new AtomicInteger();

    assertThatThrownBy(
            () ->
                StoreRetry.run(
                    "answer",
                    () -> {
                      attempts.incrementAndGet();
                      throw AbortedException.create("interrupted", new InterruptedException());
                    }))
        .isInstanceOfSatisfying(
            StoreException.class,
            e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.INTERRUPTED));

    assertThat(Thread.interrupted()).as("interrupted").isTrue();
    assertThat(attempts).hasValue(1);
  }

  /** Each attempt takes as long as a connection that nothing answers. */
  @Test
  void aReadThatTookFiveSecondsIsNotTriedAgainAndAWriteIs() {
    AtomicLong nanos = new AtomicLong();
    AtomicInteger attempts = new AtomicInteger();
    StoreRetry.Attempt<Void> slow =
        attempt -> {
          attempts.incrementAndGet();
          nanos.addAndGet(Duration.ofSeconds(2).toNanos());
          throw ApiCallTimeoutException.create(2_000);
        };

    assertThatThrownBy(() -> StoreRetry.read("answer", slow, millis -> {}, nanos::get))
        .isInstanceOfSatisfying(
            StoreException.class,
            e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.UNAVAILABLE));
    assertThat(attempts).as("attempts of a read").hasValue(3);

    attempts.set(0);
    assertThatThrownBy(() -> StoreRetry.run("answer", slow, millis -> {}))
        .isInstanceOf(StoreException.class);
    assertThat(attempts).as("attempts of a write").hasValue(8);
  }

  @Test
  void aReadBringsNoDataThatCouldBeRejected() {
    assertThatThrownBy(
            () ->
                StoreRetry.read(
                    "answer",
                    () -> {
                      throw refusal("ValidationException");
                    }))
        .isInstanceOfSatisfying(
            StoreException.class,
            e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.MISCONFIGURED));
  }

  @Test
  void aReadThatIsRefusedAtOnceHasAllItsAttempts() {
    AtomicInteger attempts = new AtomicInteger();

    assertThatThrownBy(
            () ->
                StoreRetry.read(
                    "answer",
                    attempt -> {
                      attempts.incrementAndGet();
                      throw refusal("ThrottlingException");
                    },
                    millis -> {},
                    () -> 0))
        .isInstanceOf(StoreException.class);

    assertThat(attempts).hasValue(8);
  }

  private static SdkException refusal(String code) {
    return DynamoDbException.builder()
        .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).build())
        .message(code)
        .build();
  }

  private static SdkException cancelled(String... codes) {
    return TransactionCanceledException.builder()
        .cancellationReasons(
            List.of(codes).stream()
                .map(code -> CancellationReason.builder().code(code).build())
                .toList())
        .build();
  }
}
