package dev.outbox.verification.broken.store;

import dev.outbox.verification.architecture.Breaks;

@Breaks("storesHaveNoDefaultMethods")
public interface LazyStore {

  /** Does nothing, and nobody notices. */
  default void prune() {}
}
