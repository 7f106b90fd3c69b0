package dev.outbox.internal.read;

import dev.outbox.store.StoreException;
import dev.outbox.store.StoreException.Reason;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Runs reads of the store with a deadline, on at most four daemon threads of their own. A read
 * waits for a thread within its deadline; while all threads are blocked in reads whose deadline is
 * over, further reads fail at once. Safe for many threads.
 *
 * <p>A thread that is blocked is not interrupted: there are stores that an interrupt damages. It is
 * free again when the store has answered.
 */
public final class ReadExecutor {

  /** The most threads. */
  static final int THREADS = 4;

  private static final Duration IDLE = Duration.ofSeconds(10);

  private final Duration timeout;
  private final ThreadPoolExecutor pool;
  private final AtomicInteger blocked = new AtomicInteger();
  private final AtomicInteger number = new AtomicInteger();

  public ReadExecutor(Duration timeout, String nodeName) {
    this.timeout = timeout;
    this.pool =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE.toMillis(),
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(),
            work -> {
              Thread thread =
                  new Thread(work, "outbox-" + nodeName + "-read-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
  }

  /**
   * Runs a read.
   *
   * @param name what is read, for the message of an exception
   * @throws StoreException if the deadline is over, all threads are blocked, or the caller was
   *     interrupted; otherwise what the read throws is thrown
   */
  public <T> T call(String name, Supplier<T> read) {
    if (blocked.get() >= THREADS) {
      throw new StoreException(
          Reason.UNAVAILABLE,
          "%s: not started, because %d reads are blocked in the store".formatted(name, THREADS),
          null);
    }
    Read<T> task = new Read<>(read);
    pool.execute(task);
    try {
      return task.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      timeOut(task);
      throw new StoreException(
          Reason.UNAVAILABLE,
          "%s: no answer from the store within %s".formatted(name, shown(timeout)),
          null);
    } catch (InterruptedException e) {
      timeOut(task);
      Thread.currentThread().interrupt();
      throw new StoreException(Reason.INTERRUPTED, name + ": the caller was interrupted", null);
    } catch (ExecutionException e) {
      throw ReadExecutor.<RuntimeException>thrown(e.getCause() == null ? e : e.getCause());
    }
  }

  /** Ends the threads as soon as they are idle. Reads are still possible. */
  public void close() {
    pool.setKeepAliveTime(1, TimeUnit.MILLISECONDS);
  }

  private void timeOut(Read<?> task) {
    if (!pool.remove(task)) {
      task.abandon();
    }
  }

  private static String shown(Duration time) {
    return time.toMillis() % 1_000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
  }

  /** Throws what the store threw, with the frames of the caller below those of the read. */
  @SuppressWarnings("unchecked")
  private static <E extends Throwable> RuntimeException thrown(Throwable failure) throws E {
    StackTraceElement[] frames = failure.getStackTrace();
    boolean hasCaller =
        Arrays.stream(frames)
            .anyMatch(
                frame ->
                    frame.getClassName().equals(ReadExecutor.class.getName())
                        && frame.getMethodName().equals("call"));
    if (!hasCaller) {
      failure.setStackTrace(
          Stream.of(frames, Thread.currentThread().getStackTrace())
              .flatMap(Arrays::stream)
              .toArray(StackTraceElement[]::new));
    }
    throw (E) failure;
  }

  /** A read whose caller may give up before it has ended. */
  private final class Read<T> extends FutureTask<T> {
    private boolean ended;
    private boolean abandoned;

    Read(Supplier<T> read) {
      super(read::get);
    }

    @Override
    public void run() {
      try {
        super.run();
      } finally {
        end();
      }
    }

    private synchronized void end() {
      ended = true;
      if (abandoned) {
        blocked.decrementAndGet();
      }
    }

    synchronized void abandon() {
      if (!ended) {
        abandoned = true;
        blocked.incrementAndGet();
      }
    }
  }
}
