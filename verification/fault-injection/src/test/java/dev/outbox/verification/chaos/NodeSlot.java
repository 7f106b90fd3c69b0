package dev.outbox.verification.chaos;

import java.time.Duration;
import java.util.function.Function;

/** A place for a node: its runs come one after the other, each under a name of its own. */
final class NodeSlot {

  private static final Duration START = Duration.ofMinutes(3);
  private static final Duration END = Duration.ofSeconds(60);

  private final String name;
  private final Function<String, ChildProcess> starter;
  private int run;
  private ChildProcess process;
  private boolean taken;

  NodeSlot(String name, Function<String, ChildProcess> starter) {
    this.name = name;
    this.starter = starter;
    this.process = starter.apply(name + "-0");
  }

  String name() {
    return name;
  }

  synchronized String runName() {
    return name + "-" + run;
  }

  synchronized ChildProcess process() {
    return process;
  }

  /** Takes the slot for a fault, unless another one is under way there. */
  synchronized boolean take() {
    if (taken || !process.isUp()) {
      return false;
    }
    taken = true;
    return true;
  }

  synchronized void release() {
    taken = false;
  }

  /** Starts the next run; it need not be up when this returns. */
  synchronized void restart() {
    run++;
    process = starter.apply(runName());
  }

  /** Waits until the first run is up. */
  void awaitUp() {
    while (process().await(Order.UP, START) == null) {
      if (process().isAlive()) {
        throw new IllegalStateException(runName() + " does not come up");
      }
      restart();
    }
  }

  /** Starts the next run if the last one ended by itself, as it does without its database. */
  synchronized void revive() {
    if (!taken && !process.isAlive()) {
      restart();
    }
  }

  /** Ends the current run gracefully; false if it did not end in time. */
  boolean terminate() {
    process().signal("TERM");
    return process().awaitEnd(END);
  }
}
