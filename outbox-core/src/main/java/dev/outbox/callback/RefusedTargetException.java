package dev.outbox.callback;

/** A receiver that must not be called; the text says why and shows nothing of its address. */
final class RefusedTargetException extends Exception {

  private static final long serialVersionUID = 1L;

  private final String why;

  RefusedTargetException(String why) {
    super(why);
    this.why = why;
  }

  String why() {
    return why;
  }
}
