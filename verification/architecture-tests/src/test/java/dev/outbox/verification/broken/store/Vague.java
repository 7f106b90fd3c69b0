package dev.outbox.verification.broken.store;

import dev.outbox.verification.architecture.Breaks;

@Breaks("noMethodDeclaresAGenericException")
public interface Vague {

  /** Leaves the caller to guess. */
  void store() throws Exception;
}
