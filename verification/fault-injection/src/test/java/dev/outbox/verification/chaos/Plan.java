package dev.outbox.verification.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * What a run is to be.
 *
 * @param store on which store
 * @param seed of the schedule and of what is asked for
 * @param length how long faults are made
 * @param workers how many nodes send
 * @param producers how many nodes ask for emails; on H2 the one node does both
 * @param perSecond how many requests a producer makes in a second
 * @param without kinds of faults that are left out
 * @param folder where everything is kept
 */
record Plan(
    StoreKind store,
    long seed,
    Duration length,
    int workers,
    int producers,
    int perSecond,
    Set<FaultKind> without,
    Path folder) {

  /**
   * Returns the round of about a minute that belongs to the ordinary tests. Faults that need rights
   * or packages are left out, so that the seed means the same everywhere.
   */
  static Plan round(long seed, Path folder) {
    return new Plan(
        StoreKind.MARIADB,
        seed,
        Duration.ofSeconds(30),
        2,
        1,
        20,
        EnumSet.of(FaultKind.CLOCK_JUMP, FaultKind.FULL_DISK),
        folder);
  }

  static Plan of(StoreKind store, long seed, Duration length, Path folder) {
    return switch (store) {
      case MARIADB -> new Plan(store, seed, length, 3, 2, 20, none(), folder);
      case DYNAMODB -> new Plan(store, seed, length, 3, 2, 3, none(), folder);
      case H2 -> new Plan(store, seed, length, 1, 0, 20, none(), folder);
    };
  }

  /** Returns the same without some kinds of faults. */
  Plan without(Set<FaultKind> kinds) {
    return new Plan(store, seed, length, workers, producers, perSecond, kinds, folder);
  }

  private static Set<FaultKind> none() {
    return EnumSet.noneOf(FaultKind.class);
  }
}
