package com.example.shop;

import java.util.function.Consumer;
import org.springframework.core.PriorityOrdered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Runs an action in one phase of the active transaction. */
enum Phase {
  BEFORE_COMMIT,
  BEFORE_COMPLETION,
  AFTER_COMMIT,
  AFTER_COMPLETION;

  /** Runs an action in this phase. */
  void run(Runnable action) {
    TransactionSynchronizationManager.registerSynchronization(
        new Last(phase -> runIn(phase, action)));
  }

  /** Runs an action in this phase, before all other synchronizations that can be ordered. */
  void runFirst(Runnable action) {
    TransactionSynchronizationManager.registerSynchronization(
        new First(phase -> runIn(phase, action)));
  }

  private void runIn(Phase phase, Runnable action) {
    if (phase == this) {
      action.run();
    }
  }

  private interface Phases extends TransactionSynchronization {

    Consumer<Phase> action();

    @Override
    default void beforeCommit(boolean readOnly) {
      action().accept(BEFORE_COMMIT);
    }

    @Override
    default void beforeCompletion() {
      action().accept(BEFORE_COMPLETION);
    }

    @Override
    default void afterCommit() {
      action().accept(AFTER_COMMIT);
    }

    @Override
    default void afterCompletion(int status) {
      action().accept(AFTER_COMPLETION);
    }
  }

  private record Last(Consumer<Phase> action) implements Phases {}

  private record First(Consumer<Phase> action) implements Phases, PriorityOrdered {

    @Override
    public int getOrder() {
      return HIGHEST_PRECEDENCE;
    }
  }
}
