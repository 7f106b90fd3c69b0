package dev.outbox.smtp;

/** No connection could be had from a relay. */
final class RelayFailureException extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient RelayFailure failure;

  RelayFailureException(RelayFailure failure) {
    super(failure.reason());
    this.failure = failure;
  }

  RelayFailure trouble() {
    return failure;
  }
}
