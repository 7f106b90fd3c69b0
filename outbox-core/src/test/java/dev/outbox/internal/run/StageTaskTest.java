package dev.outbox.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class StageTaskTest {

  private long now;
  private final RunningTasks tasks = new RunningTasks(() -> now);
  private final WorkerPool pool = new WorkerPool(1, Thread::new);
  private final List<String> calls = new ArrayList<>();

  /** What a job has seen; what it throws is caught by the job itself. */
  private final List<Integer> seen = new ArrayList<>();

  @Test
  void aJobThatWaitsForPermissionIsNotOverdueAndIsReleasedIfItHasToEnd() {
    run(
        task -> {
          task.waits();
          now += 1_000;
          tasks.expire(100);
          seen.add(calls.size());
          tasks.expire(-1);
        });

    assertThat(seen).as("calls while it waited").containsExactly(0);
    assertThat(calls).containsExactly("released");
    assertThat(pool.size()).isEqualTo(1);
  }

  @Test
  void theTimeOfAJobBeginsWhenItStarts() {
    run(
        task -> {
          task.waits();
          now += 1_000;
          task.starts();
          now += 100;
          tasks.expire(100);
          seen.add(calls.size());
          now += 1;
          tasks.expire(100);
          seen.add(pool.size());
        });

    assertThat(seen).as("calls in time, threads while one is stuck").containsExactly(0, 2);

    assertThat(calls).containsExactly("given up");
    assertThat(pool.size()).as("threads after it has come back").isEqualTo(1);
  }

  @Test
  void aJobWhoseFailureCannotBeLoggedReleasesItsEmail() {
    run(
        task -> {
          throw new UndescribableError();
        });

    assertThat(calls).containsExactly("released");
    assertThat(tasks.isIdle()).isTrue();
  }

  /** An error that cannot be described, and therefore not be logged. */
  private static final class UndescribableError extends Error {
    private static final long serialVersionUID = 1L;

    @Override
    public synchronized Throwable getCause() {
      throw new IllegalStateException("unknown");
    }
  }

  private void run(Consumer<StageTask> work) {
    new StageTask(tasks, pool) {
      @Override
      void work() {
        work.accept(this);
      }

      @Override
      void release(String reason) {
        calls.add("released");
      }

      @Override
      void timeOut() {
        calls.add("given up");
      }
    }.run();
  }
}
