package dev.outbox.dynamodb;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * What a failure is called, and what may be done about it by whoever has set the store up. The
 * SDK's own words stay out, since they may quote what was to be stored.
 */
final class Advice {

  private static final int DEPTH = 20;

  private Advice() {}

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

  /**
   * Returns a cancelled transaction that names the first item which DynamoDB does not take. Keys
   * are ids, states and digests, never content.
   */
  static TransactionCanceledException naming(
      List<TransactWriteItem> items, TransactionCanceledException cancelled) {
    List<CancellationReason> reasons = cancelled.cancellationReasons();
    for (int i = 0; i < Math.min(items.size(), reasons.size()); i++) {
      String code = reasons.get(i).code();
      if (code != null && !code.equals("None") && !Trouble.passes(code)) {
        return cancelled.toBuilder()
            .awsErrorDetails(
                AwsErrorDetails.builder()
                    .errorCode("%s for item %s".formatted(code, key(items.get(i))))
                    .build())
            .build();
      }
    }
    return cancelled;
  }

  private static String key(TransactWriteItem write) {
    Map<String, AttributeValue> item =
        write.put() != null
            ? write.put().item()
            : write.update() != null
                ? write.update().key()
                : write.delete() != null ? write.delete().key() : write.conditionCheck().key();
    return Stream.of(Names.ID, Names.STATUS, Names.LOG_DAY, Names.LOG_ID)
        .flatMap(name -> Stream.ofNullable(Values.textOf(item, name)))
        .collect(Collectors.joining("/"));
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
          "; are keys and indexes as DynamoDbSchema makes them?";
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
