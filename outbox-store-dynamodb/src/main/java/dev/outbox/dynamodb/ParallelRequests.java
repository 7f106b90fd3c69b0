package dev.outbox.dynamodb;

import dev.outbox.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A few threads, so that some requests are in flight at once, and never too many. */
final class ParallelRequests implements AutoCloseable {

  private final ThreadPoolExecutor threads;

  ParallelRequests(int size) {
    this.threads =
        new ThreadPoolExecutor(
            size, size, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), RequestThread::new);
    this.threads.allowCoreThreadTimeOut(true);
  }

  /** Does the same with each, several at once, and returns the results in order. */
  <A, B> List<B> each(List<A> all, Function<A, B> work) {
    // A thread of the crew that waited for others of the crew might wait for ever.
    if (all.size() < 2 || Thread.currentThread() instanceof RequestThread) {
      return all.stream().map(work).toList();
    }
    List<Future<B>> futures = new ArrayList<>();
    for (A one : all) {
      try {
        futures.add(threads.submit(() -> work.apply(one)));
      } catch (RejectedExecutionException e) {
        throw closed();
      }
    }
    return results(futures);
  }

  private static <B> List<B> results(List<Future<B>> futures) {
    List<B> results = new ArrayList<>();
    RuntimeException failure = null;
    for (Future<B> future : futures) {
      try {
        results.add(future.get());
      } catch (ExecutionException e) {
        failure = first(failure, e.getCause());
      } catch (CancellationException e) {
        failure = first(failure, closed());
      } catch (InterruptedException e) {
        futures.forEach(each -> each.cancel(true));
        Thread.currentThread().interrupt();
        throw new StoreException(
            StoreException.Reason.INTERRUPTED,
            "the calling thread was interrupted while it waited for DynamoDB",
            e);
      }
    }
    if (failure != null) {
      throw failure;
    }
    return results;
  }

  /** What went wrong first is thrown once everything else has ended. */
  private static RuntimeException first(
      @Nullable RuntimeException failure, @Nullable Throwable cause) {
    if (failure != null) {
      return failure;
    }
    if (cause instanceof Error error) {
      throw error;
    }
    if (cause instanceof StoreException store
        && store.reason() == StoreException.Reason.INTERRUPTED) {
      // The caller is not interrupted: only close() interrupts a thread that is still waited for.
      return closed();
    }
    return cause instanceof RuntimeException known
        ? known
        : new StoreException(
            StoreException.Reason.UNAVAILABLE, "DynamoDB could not be asked", cause);
  }

  private static StoreException closed() {
    return new StoreException(StoreException.Reason.UNAVAILABLE, "the store is closed", null);
  }

  @Override
  public void close() {
    for (Runnable waiting : threads.shutdownNow()) {
      // Whatever waits for its result would wait for ever.
      if (waiting instanceof Future<?> future) {
        future.cancel(true);
      }
    }
  }

  private static final class RequestThread extends Thread {

    RequestThread(Runnable work) {
      super(work, "outbox-dynamodb");
      // A host that forgets to close its store can still end.
      setDaemon(true);
    }
  }
}
