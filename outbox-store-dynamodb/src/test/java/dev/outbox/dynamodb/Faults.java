package dev.outbox.dynamodb;

import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Makes a part of all requests fail: refused before they are sent, or unanswered after they took
 * effect.
 */
final class Faults implements ExecutionInterceptor {

  private final Random random;
  private final double share;
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicInteger unanswered = new AtomicInteger();
  private volatile boolean on = true;

  Faults(long seed, double share) {
    this.random = new Random(seed);
    this.share = share;
  }

  int refused() {
    return refused.get();
  }

  int unanswered() {
    return unanswered.get();
  }

  void stop() {
    on = false;
  }

  @Override
  public void beforeExecution(
      Context.BeforeExecution context, ExecutionAttributes executionAttributes) {
    if (strikes()) {
      refused.incrementAndGet();
      throw refusal(context.request());
    }
  }

  @Override
  public void afterExecution(
      Context.AfterExecution context, ExecutionAttributes executionAttributes) {
    if (strikes()) {
      unanswered.incrementAndGet();
      throw ApiCallTimeoutException.create(1);
    }
  }

  private synchronized boolean strikes() {
    return on && random.nextDouble() < share;
  }

  private synchronized SdkException refusal(SdkRequest request) {
    List<String> codes =
        List.of(
            "ProvisionedThroughputExceededException",
            "ThrottlingException",
            "InternalServerError",
            "TransactionInProgressException");
    int which = random.nextInt(codes.size() + 1);
    if (which == codes.size() && request instanceof TransactWriteItemsRequest) {
      return TransactionCanceledException.builder()
          .cancellationReasons(CancellationReason.builder().code("TransactionConflict").build())
          .build();
    }
    String code = codes.get(which % codes.size());
    return DynamoDbException.builder()
        .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).build())
        .message(code)
        .build();
  }
}
