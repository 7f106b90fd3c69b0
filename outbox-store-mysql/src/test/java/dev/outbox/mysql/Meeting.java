package dev.outbox.mysql;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A point at which two threads wait for each other, as often as they like. */
final class Meeting {

  private static final int PATIENCE_SECONDS = 60;

  private final CyclicBarrier barrier = new CyclicBarrier(2);

  void await() {
    try {
      barrier.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (BrokenBarrierException | TimeoutException e) {
      throw new AssertionError("the other side did not come", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
