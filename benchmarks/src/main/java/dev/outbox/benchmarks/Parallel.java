package dev.outbox.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The same work by several threads at once. */
final class Parallel {

  private Parallel() {}

  /** Something that may fail. */
  interface Work {
    void run() throws Exception;
  }

  /** Returns when all have ended; what one of them throws is thrown. */
  static void run(int threads, Work work) throws InterruptedException, ExecutionException {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<Boolean>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        all.add(
            () -> {
              work.run();
              return true;
            });
      }
      for (Future<Boolean> each : pool.invokeAll(all)) {
        each.get();
      }
    } finally {
      pool.shutdownNow();
    }
  }
}
