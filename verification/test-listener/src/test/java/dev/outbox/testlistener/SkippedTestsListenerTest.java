package dev.outbox.testlistener;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class SkippedTestsListenerTest {

  @Test
  void aRunInWhichEveryTestRanEndsWell() {
    assertThatCode(() -> runAlone(Ran.class)).doesNotThrowAnyException();
  }

  @Test
  void aDisabledTestFailsTheRun() {
    assertThatThrownBy(() -> runAlone(OneDisabled.class))
        .isInstanceOf(SkippedTestsException.class)
        .hasMessageContaining("tomorrow()")
        .hasMessageContaining("not today");
  }

  @Test
  void aDisabledClassFailsTheRun() {
    assertThatThrownBy(() -> runAlone(AllDisabled.class))
        .isInstanceOf(SkippedTestsException.class)
        .hasMessageContaining("AllDisabled");
  }

  @Test
  void anAssumptionThatDoesNotHoldFailsTheRun() {
    assertThatThrownBy(() -> runAlone(GaveUp.class))
        .isInstanceOf(SkippedTestsException.class)
        .hasMessageContaining("no such server here");
  }

  /** A session of its own, with this listener only: the outer run must not see these tests. */
  private static void runAlone(Class<?> tests) {
    LauncherConfig config =
        LauncherConfig.builder()
            .enableLauncherSessionListenerAutoRegistration(false)
            .addLauncherSessionListeners(new SkippedTestsListener())
            .build();
    try (LauncherSession session = LauncherFactory.openSession(config)) {
      session
          .getLauncher()
          .execute(
              LauncherDiscoveryRequestBuilder.request()
                  .selectors(selectClass(tests))
                  .forExecution()
                  .build());
    }
  }

  /** Not named like a test, so that only {@link #runAlone} finds it. */
  static class Ran {
    @Test
    void today() {}
  }

  static class OneDisabled {
    @Test
    void today() {}

    @Test
    @Disabled("not today")
    void tomorrow() {}
  }

  @Disabled("none of them")
  static class AllDisabled {
    @Test
    void today() {}
  }

  static class GaveUp {
    @Test
    void needsAServer() {
      Assumptions.abort("no such server here");
    }
  }
}
