package dev.outbox.testkit;

import dev.outbox.testkit.StoreModelContract.Walks;
import org.junit.jupiter.api.Test;

/**
 * Many more random walks than the contract makes, on the store in memory, where they cost little:
 * it decides by the same {@code EmailRow} as all stores do.
 */
class RowRulesModelTest {

  @Test
  void whateverIsAskedOfThemTheRowsBecomeWhatTheModelSays() {
    Walks.seeds(100)
        .forEach(
            seed -> {
              try (StoreFixture fixture = new InMemoryStoreTest().open()) {
                Walks.play(fixture, seed);
              }
            });
  }
}
