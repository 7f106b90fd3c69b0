package dev.outbox.internal.payload;

/** A payload that a newer release has written; another node may be able to read it. */
public final class NewerPayloadException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public NewerPayloadException(int version) {
    super("payload version %d, newer than %d".formatted(version, PayloadCodec.VERSION));
  }
}
