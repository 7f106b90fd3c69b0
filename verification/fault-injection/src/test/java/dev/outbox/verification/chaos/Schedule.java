package dev.outbox.verification.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** The faults of one run; the same seed makes the same. */
record Schedule(List<Fault> faults) {

  private static final Duration WARM_UP = Duration.ofSeconds(1);
  private static final int MEAN_GAP_MILLIS = 2_000;

  /**
   * Draws a schedule.
   *
   * @param without kinds that cannot happen here
   */
  static Schedule of(long seed, StoreKind store, Duration length, Set<FaultKind> without) {
    Random random = new Random(seed);
    List<FaultKind> kinds =
        Arrays.stream(FaultKind.values())
            .filter(kind -> kind.concerns(store) && !without.contains(kind))
            .toList();
    List<Fault> faults = new ArrayList<>();
    Duration at = WARM_UP;
    while (at.compareTo(length) < 0) {
      FaultKind kind = draw(kinds, random);
      faults.add(
          new Fault(
              at,
              kind,
              random.nextInt(1_000),
              length(kind, store.times(), random),
              random.nextInt(1_000_000)));
      at = at.plusMillis(MEAN_GAP_MILLIS / 4 + random.nextInt(MEAN_GAP_MILLIS * 3 / 2));
    }
    return new Schedule(List.copyOf(faults));
  }

  private static FaultKind draw(List<FaultKind> kinds, Random random) {
    int left = random.nextInt(kinds.stream().mapToInt(FaultKind::weight).sum());
    for (FaultKind kind : kinds) {
      left -= kind.weight();
      if (left < 0) {
        return kind;
      }
    }
    throw new IllegalStateException("no kinds of faults");
  }

  private static Duration length(FaultKind kind, Times times, Random random) {
    long lease = times.length().toMillis();
    return Duration.ofMillis(
        switch (kind) {
          // How long it stays away.
          case KILL_WORKER, KILL_PRODUCER, KILL_AT_DOT, CLOSE_WORKER, KILL_DATABASE ->
              200 + random.nextInt(2_500);
          case FREEZE_WORKER, FREEZE_AT_DOT -> lease + 1_500 + random.nextInt(4_000);
          // Some shorter than the lease, some longer.
          case CUT_NODE, HOLD_NODE -> 500 + random.nextInt(2 * (int) lease);
          case LOCK_TABLES -> 2_000 + random.nextInt(5_000);
          case CLOCK_JUMP -> 3_000 + random.nextInt(5_000);
          case FULL_DISK -> 3_000 + random.nextInt(3_000);
          case DROP_ALL, RELAY_CUT, POISON_ROW, POISON_EMAIL -> 0;
          default -> 2_000 + random.nextInt(4_000);
        });
  }
}
