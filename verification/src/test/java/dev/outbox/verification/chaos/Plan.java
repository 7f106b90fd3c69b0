package dev.outbox.verification.chaos;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What a run is to be.
 *
 * @param store on which store
 * @param seed of the schedule and of what is asked for
 * @param length how long faults are made
 * @param workers how many nodes send
 * @param producers how many nodes ask for emails; on H2 the one node does both
 * @param perSecond how many requests a producer makes in a second
 * @param folder where everything is kept
 */
record Plan(
    StoreKind store,
    long seed,
    Duration length,
    int workers,
    int producers,
    int perSecond,
    Path folder) {

  static Plan of(StoreKind store, long seed, Duration length, Path folder) {
    return switch (store) {
      case MARIADB -> new Plan(store, seed, length, 3, 2, 20, folder);
      case DYNAMODB -> new Plan(store, seed, length, 3, 2, 5, folder);
      case H2 -> new Plan(store, seed, length, 1, 0, 20, folder);
    };
  }
}
