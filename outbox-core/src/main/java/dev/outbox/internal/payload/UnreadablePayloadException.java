package dev.outbox.internal.payload;

/** A payload that nobody can read. The text shows nothing of it. */
public final class UnreadablePayloadException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public UnreadablePayloadException(String problem) {
    super("unreadable payload: " + problem);
  }
}
