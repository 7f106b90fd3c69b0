package dev.outbox.dynamodb;

import software.amazon.awssdk.awscore.exception.AwsServiceException;

/**
 * What the SDK reported, without its words: a refusal may quote what was to be stored. It is the
 * cause of what the store throws, with the SDK's stack.
 */
final class SanitizedSdkException extends Exception {

  private static final long serialVersionUID = 1L;

  SanitizedSdkException(RuntimeException reported) {
    super(described(reported));
    setStackTrace(reported.getStackTrace());
  }

  private static String described(RuntimeException reported) {
    String type = reported.getClass().getSimpleName();
    return reported instanceof AwsServiceException answer && answer.awsErrorDetails() != null
        ? "%s: status %d, %s, request %s"
            .formatted(
                type, answer.statusCode(), answer.awsErrorDetails().errorCode(), answer.requestId())
        : type;
  }
}
