package dev.outbox.testlistener;

import java.util.List;

/** The failure of a test run that skipped tests; its text names each of them. */
public final class SkippedTestsException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  SkippedTestsException(List<String> skipped) {
    super("a skipped test fails the build:\n  " + String.join("\n  ", skipped));
  }
}
