package dev.outbox.callback;

/** A receiver that must not be called; the text says why and shows nothing of its address. */
final class ForbiddenTargetException extends Exception {

  private static final long serialVersionUID = 1L;

  private final String why;

  ForbiddenTargetException(String why) {
    super(why);
    this.why = why;
  }

  String why() {
    return why;
  }
}
