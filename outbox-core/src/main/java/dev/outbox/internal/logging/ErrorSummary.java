package dev.outbox.internal.logging;

/** Throwables in text that is safe to log and to store, and log statements that cannot fail. */
public final class ErrorSummary {

  private ErrorSummary() {}

  /**
   * Runs a log statement and ignores what it throws. An appender of the host that fails, or a
   * throwable that cannot be described, must not end a thread or drop a result.
   */
  public static void logSafely(Runnable statement) {
    try {
      statement.run();
    } catch (Throwable e) {
      // The log is the only place to report this, and the log has just failed.
    }
  }

  /** Returns the type, and that of the first cause; never a text. */
  public static String describe(Throwable thrown) {
    Throwable root = thrown;
    for (int depth = 0; root.getCause() != null && depth < 20; depth++) {
      root = root.getCause();
    }
    return root == thrown
        ? thrown.getClass().getName()
        : thrown.getClass().getName() + " caused by " + root.getClass().getName();
  }
}
