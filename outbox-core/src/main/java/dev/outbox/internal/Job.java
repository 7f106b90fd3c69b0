package dev.outbox.internal;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A piece of work for a pool. It is settled once: by its own result, by its deadline, or because it
 * was never started.
 */
abstract class Job implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(Job.class);

  private final Jobs jobs;
  private final WorkerPool pool;
  private final AtomicBoolean settled = new AtomicBoolean();
  private volatile @Nullable Thread thread;
  private volatile long startedAt;
  private volatile boolean waiting;
  private boolean replaced;
  private boolean ended;

  Job(Jobs jobs, WorkerPool pool) {
    this.jobs = jobs;
    this.pool = pool;
  }

  @Override
  public final void run() {
    LongSupplier nanos = jobs.nanos();
    startedAt = nanos.getAsLong();
    thread = Thread.currentThread();
    jobs.started(this);
    try {
      work();
    } catch (Throwable e) {
      // Handlers turn whatever they meet into results; what gets here is a defect of ours.
      abandon("the work on it failed");
      Failures.logSafely(() -> log.error("a job failed: {}", Failures.describe(e)));
    } finally {
      jobs.ended(this);
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
  final boolean settle() {
    return settled.compareAndSet(false, true);
  }

  final boolean isSettled() {
    return settled.get();
  }

  /** Returns for how long it has worked; zero while it waits for permission to start. */
  final long age() {
    return waiting ? 0 : jobs.nanos().getAsLong() - startedAt;
  }

  /** Says that it waits for permission to start, which no deadline limits. */
  final void waits() {
    waiting = true;
  }

  /** Says that its work starts now. */
  final void starts() {
    startedAt = jobs.nanos().getAsLong();
    waiting = false;
  }

  /** Gives the job's emails back, if it has not been settled. */
  final void abandon(String reason) {
    if (settle()) {
      release(reason);
    }
  }

  /** Ends a job that takes too long, if it has not been settled. */
  final void expire() {
    if (settle()) {
      if (waiting) {
        release("it was not started");
      } else {
        giveUp();
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

  /** Does the work and, if {@link #settle()} allows, gives its results. */
  abstract void work();

  /** Gives the emails back as if nothing had happened. */
  abstract void release(String reason);

  /** Gives the results of work that did not end. */
  abstract void giveUp();
}
