package dev.outbox.internal;

/** A payload that a newer release has written; another node may be able to read it. */
final class NewerPayloadException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  NewerPayloadException(int version) {
    super("payload version %d, newer than %d".formatted(version, PayloadFormat.VERSION));
  }
}
