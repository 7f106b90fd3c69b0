package dev.outbox.verification.chaos;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Strikes a node at the moment of a final dot: before it is answered, or just after. */
final class DotTrap {

  private static final Duration PATIENCE = Duration.ofSeconds(6);

  private final AtomicReference<@Nullable Armed> armed = new AtomicReference<>();

  private record Armed(String run, boolean answered, Runnable strike, CountDownLatch struck) {}

  /** Waits for a final dot of a node and strikes; false if there was none, or others wait. */
  boolean catches(String run, boolean answered, Runnable strike) {
    Armed trap = new Armed(run, answered, strike, new CountDownLatch(1));
    return armed.compareAndSet(null, trap)
        && (await(trap) || (!armed.compareAndSet(trap, null) && await(trap)));
  }

  /** Runs on the relay's thread, which has the final dot and has not answered it, or just has. */
  void dot(String run, boolean answered) {
    Armed trap = armed.get();
    if (trap != null
        && trap.answered == answered
        && trap.run.equals(run)
        && armed.compareAndSet(trap, null)) {
      trap.strike.run();
      trap.struck.countDown();
    }
  }

  private static boolean await(Armed trap) {
    try {
      return trap.struck.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
