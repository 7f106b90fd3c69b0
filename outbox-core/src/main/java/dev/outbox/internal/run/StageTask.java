package dev.outbox.internal.run;

import dev.outbox.internal.logging.ErrorSummary;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A piece of work for a pool. It is settled once: by its own result, by its deadline, or because it
 * was never started.
 */
abstract class StageTask implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(StageTask.class);

  private final RunningTasks tasks;
  private final WorkerPool pool;
  private final AtomicBoolean settled = new AtomicBoolean();
  private volatile @Nullable Thread thread;
  private volatile long startedAt;
  private volatile boolean waiting;
  private boolean replaced;
  private boolean ended;

  StageTask(RunningTasks tasks, WorkerPool pool) {
    this.tasks = tasks;
    this.pool = pool;
  }

  @Override
  public final void run() {
    LongSupplier nanos = tasks.nanos();
    startedAt = nanos.getAsLong();
    thread = Thread.currentThread();
    tasks.started(this);
    try {
      work();
    } catch (Throwable e) {
      // Handlers turn whatever they meet into results; what gets here is a defect of ours.
      releaseIfUnfinished("the work on it failed");
      ErrorSummary.logSafely(() -> log.error("a job failed: {}", ErrorSummary.describe(e)));
    } finally {
      tasks.ended(this);
      synchronized (this) {
        thread = null;
        ended = true;
        if (replaced) {
          pool.shrink();
        }
        // An interrupt meant for this job must not reach the pool's next one.
        Thread.interrupted();
      }
    }
  }

  /** Returns true to the first who asks, who then has to give the result. */
  final boolean finish() {
    return settled.compareAndSet(false, true);
  }

  final boolean isSettled() {
    return settled.get();
  }

  /** Returns for how long it has worked; zero while it waits for permission to start. */
  final long age() {
    return waiting ? 0 : tasks.nanos().getAsLong() - startedAt;
  }

  /** Says that it waits for permission to start, which no deadline limits. */
  final void waits() {
    waiting = true;
  }

  /** Says that its work starts now. */
  final void starts() {
    startedAt = tasks.nanos().getAsLong();
    waiting = false;
  }

  /** Gives the job's emails back, if it has not been settled. */
  final void releaseIfUnfinished(String reason) {
    if (finish()) {
      release(reason);
    }
  }

  /** Ends a job that takes too long, if it has not been settled. */
  final void expire() {
    if (finish()) {
      if (waiting) {
        release("it was not started");
      } else {
        timeOut();
        replaceThread();
      }
    }
    interrupt();
  }

  /** Enlarges the pool until the thread of this job comes back. */
  private synchronized void replaceThread() {
    replaced = !ended && pool.grow();
  }

  final synchronized void interrupt() {
    Thread running = thread;
    if (running != null) {
      running.interrupt();
    }
  }

  /** Does the work and, if {@link #finish()} allows, gives its results. */
  abstract void work();

  /** Gives the emails back as if nothing had happened. */
  abstract void release(String reason);

  /** Gives the results of work that did not end. */
  abstract void timeOut();
}
