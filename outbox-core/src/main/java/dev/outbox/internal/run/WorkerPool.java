package dev.outbox.internal.run;

import dev.outbox.internal.concurrent.UninterruptedWaits;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A fixed number of threads that can be raised while some of them do not come back. The queue is
 * bounded by what the node holds.
 */
final class WorkerPool {

  private static final int MOST_REPLACED = 64;

  private final ThreadPoolExecutor executor;
  private final int most;

  WorkerPool(int size, ThreadFactory threads) {
    this.executor =
        new ThreadPoolExecutor(
            size, size, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
    executor.allowCoreThreadTimeOut(true);
    this.most = size + MOST_REPLACED;
  }

  void execute(StageTask task) {
    executor.execute(task);
  }

  /**
   * Adds a thread, to make up for one that is stuck.
   *
   * @return false if there are as many as there may be
   */
  synchronized boolean grow() {
    int size = executor.getMaximumPoolSize() + 1;
    if (size > most) {
      return false;
    }
    executor.setMaximumPoolSize(size);
    executor.setCorePoolSize(size);
    return true;
  }

  /** Takes back a thread that was added, once the stuck one has come back. */
  synchronized void shrink() {
    int size = executor.getMaximumPoolSize() - 1;
    executor.setCorePoolSize(size);
    executor.setMaximumPoolSize(size);
  }

  /** Returns how many threads there may be now. */
  int size() {
    return executor.getMaximumPoolSize();
  }

  /** Takes nothing more. */
  void shutdown() {
    executor.shutdown();
  }

  /** Waits until everything has ended, up to a time of {@code System.nanoTime()}. */
  boolean await(long end) {
    return UninterruptedWaits.await(
        end, nanos -> executor.awaitTermination(nanos, TimeUnit.NANOSECONDS));
  }
}
