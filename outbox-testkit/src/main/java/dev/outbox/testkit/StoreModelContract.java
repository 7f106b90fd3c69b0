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

  static LongStream seeds() {
    return Walks.seeds(4);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whateverIsAskedOfItTheStoreHoldsWhatTheModelHolds(long seed) {
    Walks.play(fixture, seed);
  }

  /** Walks by their seeds. */
  static final class Walks {

    private static final int STEPS = 100;

    private Walks() {}

    /** Returns the first so many seeds, unless the command line says which. */
    static LongStream seeds(int count) {
      Long only = Long.getLong("model.seed");
      return only == null
          ? LongStream.range(0, Long.getLong("model.seeds", count))
          : LongStream.of(only);
    }

    static void play(StoreFixture fixture, long seed) {
      RandomOperations walk = new RandomOperations(fixture, seed);
      try {
        walk.go(STEPS);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            "seed %d, after these steps:%n%s%n%s".formatted(seed, walk.story(), e.getMessage()), e);
      }
    }
  }
}
