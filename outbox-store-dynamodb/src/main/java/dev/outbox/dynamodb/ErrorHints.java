package dev.outbox.dynamodb;

import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;

/**
 * What a failure is called, and what may be done about it by whoever has set the store up. The
 * SDK's own words stay out, since they may quote what was to be stored.
 */
final class ErrorHints {

  private static final int DEPTH = 20;

  private ErrorHints() {}

  /** Returns the name of a failure, and what to look at. */
  static String on(Throwable failure) {
    if (failure instanceof AwsServiceException answer) {
      String code = answer.awsErrorDetails() == null ? null : answer.awsErrorDetails().errorCode();
      return on(code == null ? failure.getClass().getSimpleName() : code);
    }
    if (failure instanceof RejectedExecutionException || failure instanceof IllegalStateException) {
      return name(failure) + "; is the client closed?";
    }
    String named = name(failure);
    Throwable root = root(failure);
    if (root != failure) {
      named += " caused by " + name(root);
    }
    return named + local(failure, root);
  }

  private static String local(Throwable failure, Throwable root) {
    if (failure instanceof ApiCallTimeoutException) {
      return "; it took longer than the client's apiCallTimeout";
    }
    if (root instanceof IOException) {
      return "; are the client's region and endpoint right, and the network there?";
    }
    String words = failure instanceof SdkClientException ? failure.getMessage() : null;
    return words != null && words.contains("credentials") ? "; the client has no credentials" : "";
  }

  /** Returns an error's code, and what to look at. */
  static String on(String code) {
    return code + advice(code);
  }

  private static String advice(String code) {
    return switch (code) {
      case "ResourceNotFoundException", "ResourceNotFound" ->
          "; no such table or index: table(…) and logTable(…) name them, DynamoDbSchema makes them";
      case "ValidationException", "ValidationError" ->
          "; are keys and indexes as DynamoDbSchema makes them, and all items below 400 KB?";
      case "AccessDeniedException", "AccessDenied" ->
          "; docs/dynamodb.md has the rights that a node needs";
      case "UnrecognizedClientException",
          "InvalidSignatureException",
          "ExpiredTokenException",
          "MissingAuthenticationTokenException" ->
          "; the client's credentials are not accepted";
      default -> "";
    };
  }

  private static String name(Throwable failure) {
    return failure.getClass().getSimpleName();
  }

  private static Throwable root(Throwable failure) {
    Throwable root = failure;
    @Nullable Throwable cause = failure.getCause();
    for (int depth = 0; cause != null && depth < DEPTH; depth++) {
      root = cause;
      cause = root.getCause();
    }
    return root;
  }
}
