package dev.outbox.internal;

/** Throwables in words that are safe to log and to store: their types, never their texts. */
final class Failures {

  private Failures() {}

  /** Returns the type, and that of the first cause. */
  static String describe(Throwable thrown) {
    Throwable root = thrown;
    for (int depth = 0; root.getCause() != null && depth < 20; depth++) {
      root = root.getCause();
    }
    return root == thrown
        ? thrown.getClass().getName()
        : thrown.getClass().getName() + " caused by " + root.getClass().getName();
  }
}
