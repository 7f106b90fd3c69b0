package dev.outbox.internal.run;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** The jobs that are running now, so that those that take too long can be ended. */
final class RunningTasks {

  private final LongSupplier nanos;
  private final Set<StageTask> running = ConcurrentHashMap.newKeySet();

  RunningTasks(LongSupplier nanos) {
    this.nanos = nanos;
  }

  LongSupplier nanos() {
    return nanos;
  }

  void started(StageTask task) {
    running.add(task);
  }

  void ended(StageTask task) {
    running.remove(task);
  }

  boolean isIdle() {
    return running.isEmpty();
  }

  /** Ends every job that has run for longer than it may. */
  void expire(long limitNanos) {
    running.stream().filter(task -> task.age() > limitNanos).forEach(StageTask::expire);
  }
}
