package dev.outbox.dynamodb;

import dev.outbox.store.StoreException.Reason;
import java.nio.channels.ClosedByInterruptException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Classifies failures of the SDK by what a caller can do about them.
 *
 * <p>An error code that is not known here counts as rejected data: the caller then repeats its
 * emails in smaller batches, and declares an outage only if a single email fails in every form. The
 * opposite default would let one email stop all others.
 */
final class ErrorClassifier {

  private static final int DEPTH = 20;
  private static final int SERVER_ERROR = 500;

  private static final Set<String> UNAVAILABLE =
      Set.of(
          "AccessDenied",
          "AccessDeniedException",
          "UnrecognizedClientException",
          "InvalidSignatureException",
          "SignatureDoesNotMatch",
          "IncompleteSignature",
          "IncompleteSignatureException",
          "InvalidClientTokenId",
          "ExpiredToken",
          "ExpiredTokenException",
          "MissingAuthenticationToken",
          "MissingAuthenticationTokenException",
          "RequestExpired",
          "RequestTimeTooSkewed",
          "OptInRequired",
          "LimitExceededException");

  private static final Set<String> MISCONFIGURED =
      Set.of("ResourceNotFound", "ResourceNotFoundException", "TableNotFoundException");

  /** What DynamoDB says of a request that does not fit the keys or indexes of a table. */
  private static final List<String> SCHEMA =
      List.of(
          "does not match the schema",
          "does not have the specified index",
          "missed key schema element",
          "Missing the key",
          "required keys was not given a value",
          "Type mismatch for");

  private ErrorClassifier() {}

  /**
   * Returns the reason of a failure of a request that writes.
   *
   * @param failure what the SDK threw
   */
  static Reason ofWrite(Throwable failure) {
    if (isInterrupt(failure)) {
      return Reason.INTERRUPTED;
    }
    if (failure instanceof TransactionCanceledException cancelled) {
      return cancelled.cancellationReasons().stream()
          .filter(each -> !isSound(each))
          .findFirst()
          .map(each -> of(Objects.requireNonNull(each.code()), each.message(), 0))
          .orElse(Reason.UNAVAILABLE);
    }
    if (failure instanceof AwsServiceException answer) {
      AwsErrorDetails details = answer.awsErrorDetails();
      String code = details == null ? null : details.errorCode();
      return of(Objects.requireNonNullElse(code, ""), answer.getMessage(), answer.statusCode());
    }
    return Reason.UNAVAILABLE;
  }

  /** Returns the reason of a failure of a request that only reads, and so brings no data. */
  static Reason ofRead(Throwable failure) {
    Reason reason = ofWrite(failure);
    return reason == Reason.REJECTED_DATA ? Reason.MISCONFIGURED : reason;
  }

  /** Returns the reason of an error code in the answer to a statement. */
  static Reason ofStatement(String code) {
    return of(code, null, 0);
  }

  private static Reason of(String code, @Nullable String message, int status) {
    if (UNAVAILABLE.contains(code) || TransientErrors.isPassing(code) || status >= SERVER_ERROR) {
      return Reason.UNAVAILABLE;
    }
    boolean schema = message != null && SCHEMA.stream().anyMatch(message::contains);
    return schema || MISCONFIGURED.contains(code) ? Reason.MISCONFIGURED : Reason.REJECTED_DATA;
  }

  /** Returns whether an item of a cancelled transaction is not the cause. */
  private static boolean isSound(CancellationReason reason) {
    String code = reason.code();
    return code == null || code.equals("None") || TransientErrors.isPassing(code);
  }

  /** Returns whether the calling thread was interrupted while it waited for DynamoDB. */
  static boolean isInterrupt(Throwable failure) {
    Throwable each = failure;
    for (int depth = 0; each != null && depth < DEPTH; depth++) {
      if (each instanceof AbortedException
          || each instanceof InterruptedException
          || each instanceof ClosedByInterruptException) {
        return true;
      }
      each = each.getCause();
    }
    return false;
  }
}
