package dev.outbox.testkit;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random lives of a store against a simple model. A failure names its seed and tells the steps;
 * {@code -Dmodel.seed=N} plays that one alone, {@code -Dmodel.seeds=N} plays the first N.
 */
@Timeout(240) // Less than half a unit of the walk, within which a store may be late.
abstract class StoreModelContract extends StoreContract {

  private static final int STEPS = 100;

  static LongStream seeds() {
    Long only = Long.getLong("model.seed");
    return only == null ? LongStream.range(0, Long.getLong("model.seeds", 4)) : LongStream.of(only);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whateverIsAskedOfItTheStoreHoldsWhatTheModelHolds(long seed) {
    StoreWalk walk = new StoreWalk(fixture, seed);
    try {
      walk.go(STEPS);
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "seed %d, after these steps:%n%s%n%s".formatted(seed, walk.story(), e.getMessage()), e);
    }
  }
}
