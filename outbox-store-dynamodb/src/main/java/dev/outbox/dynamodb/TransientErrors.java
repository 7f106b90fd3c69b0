package dev.outbox.dynamodb;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Tells trouble that passes from trouble that stays. */
final class TransientErrors {

  static final String LOST = "ConditionalCheckFailed";

  /** What is said of a statement that does not fit its item. */
  static final Set<String> REFUSED = Set.of("ValidationError", "ValidationException");

  private static final String NONE = "None";

  private static final Set<String> PASSING =
      Set.of(
          "ProvisionedThroughputExceededException",
          "InternalServerError",
          "InternalServerErrorException",
          "ResourceInUseException",
          "RequestLimitExceeded",
          "TransactionInProgressException",
          "ThrottlingException",
          "Throttling",
          "ServiceUnavailable",
          "ServiceUnavailableException",
          "TransactionConflictException",
          "ReplicatedWriteConflictException");

  /** The short names in cancellation reasons and in the answers to statements. */
  private static final Set<String> PASSING_REASONS =
      Set.of(
          "TransactionConflict",
          "ThrottlingError",
          "ProvisionedThroughputExceeded",
          "RequestLimitExceeded",
          "InternalServerError");

  private TransientErrors() {}

  static boolean passes(Throwable failure) {
    if (ErrorClassifier.isInterrupt(failure)) {
      return false;
    }
    if (failure instanceof TransactionCanceledException cancelled) {
      return passes(cancelled.cancellationReasons());
    }
    if (failure instanceof AwsServiceException refusal) {
      return refusal.awsErrorDetails() != null
          && PASSING.contains(
              Objects.requireNonNullElse(refusal.awsErrorDetails().errorCode(), ""));
    }
    return failure instanceof ApiCallTimeoutException
        || failure instanceof ApiCallAttemptTimeoutException
        || (failure instanceof SdkClientException && isInputOutput(failure.getCause()));
  }

  /** A single reason that stays, among them a lost condition, makes the whole useless to repeat. */
  private static boolean passes(List<CancellationReason> reasons) {
    List<String> codes =
        reasons.stream()
            .map(CancellationReason::code)
            .filter(code -> code != null && !NONE.equals(code))
            .toList();
    return !codes.isEmpty() && PASSING_REASONS.containsAll(codes);
  }

  static boolean passes(String code) {
    return PASSING_REASONS.contains(code);
  }

  /** Returns whether a code of either kind is one of trouble that passes. */
  static boolean isPassing(String code) {
    return PASSING.contains(code) || PASSING_REASONS.contains(code);
  }

  private static boolean isInputOutput(@Nullable Throwable cause) {
    for (Throwable each = cause; each != null; each = each.getCause()) {
      if (each instanceof IOException) {
        return true;
      }
    }
    return false;
  }
}
