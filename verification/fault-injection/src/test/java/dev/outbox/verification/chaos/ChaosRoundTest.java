package dev.outbox.verification.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One short round of the worst day, on MariaDB. */
@Timeout(value = 15, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChaosRoundTest {

  private static final long SEED = 2033;

  @TempDir Path folder;

  @Test
  void noPromiseIsBrokenInAShortRound() {
    Report report = new Director(Plan.round(SEED, folder), System.out::println).run();
    System.out.println(report.text());

    assertThat(report.faults()).as("faults that came about").hasSizeGreaterThan(5);
    assertThat(report.faults())
        .extracting(Happening::kind)
        .contains(FaultKind.INTERRUPT_SENDERS, FaultKind.POISON_EMAIL, FaultKind.RELAY_LONG_REPLY);
    assertThat(report.emails()).as("emails").isGreaterThan(100);
    assertThat(report.broken()).as(report.text()).isEmpty();
  }

  @Test
  void aSeedMakesTheSameScheduleAgain() {
    Schedule first = schedule(SEED);

    assertThat(schedule(SEED)).isEqualTo(first);
    assertThat(schedule(SEED + 1)).isNotEqualTo(first);
    assertThat(first.faults())
        .extracting(Fault::kind)
        .as("kinds in an hour")
        .contains(FaultKind.values());
  }

  private static Schedule schedule(long seed) {
    return Schedule.of(
        seed, StoreKind.MARIADB, Duration.ofHours(1), EnumSet.noneOf(FaultKind.class));
  }
}
