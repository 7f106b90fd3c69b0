package dev.outbox.internal;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** The jobs that are running now, so that those that take too long can be ended. */
final class Jobs {

  private final LongSupplier nanos;
  private final Set<Job> running = ConcurrentHashMap.newKeySet();

  Jobs(LongSupplier nanos) {
    this.nanos = nanos;
  }

  LongSupplier nanos() {
    return nanos;
  }

  void started(Job job) {
    running.add(job);
  }

  void ended(Job job) {
    running.remove(job);
  }

  boolean isIdle() {
    return running.isEmpty();
  }

  /** Ends every job that has run for longer than it may. */
  void expire(long limitNanos) {
    running.stream().filter(job -> job.age() > limitNanos).forEach(Job::expire);
  }
}
