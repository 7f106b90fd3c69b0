package dev.outbox.testkit;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Random lives of a small cluster against a simple model. A failure names its seed; {@code
 * -Dmodel.seed=N} plays that one alone.
 */
class EngineModelTest {

  private static final int STEPS = 120;

  @Test
  void whateverHappensEveryEmailEndsWhereThePromisesSay() {
    Long only = Long.getLong("model.seed");
    LongStream seeds = only == null ? LongStream.range(0, 60) : LongStream.of(only);
    seeds.forEach(EngineModelTest::play);
  }

  private static void play(long seed) {
    try {
      new ModelRun(seed).run(STEPS);
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
    }
  }
}
