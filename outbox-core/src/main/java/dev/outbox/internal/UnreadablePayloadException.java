package dev.outbox.internal;

/** A payload that nobody can read. The text shows nothing of it. */
final class UnreadablePayloadException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  UnreadablePayloadException(String problem) {
    super("unreadable payload: " + problem);
  }
}
