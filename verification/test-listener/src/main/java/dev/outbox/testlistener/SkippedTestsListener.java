package dev.outbox.testlistener;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * A listener that fails a test run in which a test was disabled or gave up on an assumption.
 *
 * <p>It fails at the end of the session, because JUnit logs and swallows what a listener throws
 * while tests run.
 */
public final class SkippedTestsListener implements LauncherSessionListener, TestExecutionListener {

  private final Queue<String> skipped = new ConcurrentLinkedQueue<>();

  /** Creates the listener; JUnit does so through the service loader. */
  public SkippedTestsListener() {}

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    session.getLauncher().registerTestExecutionListeners(this);
  }

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    skipped.add(test.getUniqueId() + ": " + reason);
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
      String reason = result.getThrowable().map(Throwable::getMessage).orElse("aborted");
      skipped.add(test.getUniqueId() + ": " + reason);
    }
  }

  @Override
  public void launcherSessionClosed(LauncherSession session) {
    if (!skipped.isEmpty()) {
      throw new SkippedTestsException(List.copyOf(skipped));
    }
  }
}
