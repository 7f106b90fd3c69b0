package dev.outbox.testkit;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Several threads that start behind one latch, so that they really meet. */
final class Race {

  private static final int PATIENCE_SECONDS = 40;
  private static final int SLOW_ROUNDS = 10;
  private static final int FAST_ROUNDS = 400;
  private static final int FAST_MILLIS = 300;

  private Race() {}

  /** Runs the same thing in several threads at once; returns what each gave, in their order. */
  static <T> List<T> among(int threads, IntFunction<T> runner) {
    return run(
        IntStream.range(0, threads)
            .<Callable<T>>mapToObj(index -> () -> runner.apply(index))
            .toList());
  }

  /** Runs two things at once. */
  static <A, B> Both<A, B> between(Callable<A> first, Callable<B> second) {
    List<Object> results = run(List.<Callable<Object>>of(first::call, second::call));
    @SuppressWarnings("unchecked")
    A one = (A) results.get(0);
    @SuppressWarnings("unchecked")
    B other = (B) results.get(1);
    return new Both<>(one, other);
  }

  /**
   * Repeats a race: a few times on a slow database, and many times on a fast store, where the gap
   * between two steps is narrow.
   */
  static void repeatedly(Runnable round) {
    long end = System.nanoTime() + MILLISECONDS.toNanos(FAST_MILLIS);
    for (int i = 0; i < SLOW_ROUNDS || (i < FAST_ROUNDS && System.nanoTime() < end); i++) {
      round.run();
    }
  }

  /**
   * Starts one thing, gives it a moment to end, does the other in any case, and waits for the first
   * again: whoever has to wait for the other may.
   */
  static <A, B> Both<A, B> overtaking(Callable<A> first, Callable<B> second) {
    CountDownLatch overtaken = new CountDownLatch(1);
    return between(
        () -> {
          A result = first.call();
          overtaken.countDown();
          return result;
        },
        () -> {
          waitAMoment(overtaken);
          return second.call();
        });
  }

  /** Returns in any case: whether the moment was long enough does not matter. */
  private static void waitAMoment(CountDownLatch latch) throws InterruptedException {
    latch.await(FAST_MILLIS, MILLISECONDS);
  }

  private static <T> List<T> run(List<Callable<T>> runners) {
    ExecutorService threads = Executors.newFixedThreadPool(runners.size());
    CountDownLatch ready = new CountDownLatch(runners.size());
    CountDownLatch start = new CountDownLatch(1);
    try {
      List<Future<T>> futures = new ArrayList<>();
      for (Callable<T> runner : runners) {
        futures.add(
            threads.submit(
                () -> {
                  ready.countDown();
                  start.await();
                  return runner.call();
                }));
      }
      ready.await();
      start.countDown();
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get(PATIENCE_SECONDS, SECONDS));
      }
      return results;
    } catch (ExecutionException e) {
      throw new AssertionError("a thread of the race failed: " + e.getCause(), e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("the race did not end within " + PATIENCE_SECONDS + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted during the race", e);
    } finally {
      threads.shutdownNow();
    }
  }

  /** What the two sides of a race gave. */
  record Both<A, B>(A first, B second) {}
}
