package dev.outbox.smtp;

/** No connection could be had from a relay. */
final class TroubleException extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient Trouble trouble;

  TroubleException(Trouble trouble) {
    super(trouble.reason());
    this.trouble = trouble;
  }

  Trouble trouble() {
    return trouble;
  }
}
