package dev.outbox.dynamodb;

import dev.outbox.store.StoreException;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * Repeats what met passing trouble: eight attempts, and before the next one a wait between zero and
 * 30 ms doubled each time, at most a second. Ends at once when the thread is interrupted. A request
 * that only reads is not repeated once it has taken five seconds, because callers wait for it.
 */
final class StoreRetry {

  static final int ATTEMPTS = 8;
  static final Duration BASE = Duration.ofMillis(30);
  static final Duration LONGEST = Duration.ofSeconds(1);

  /** How long after its first attempt a read may begin another. */
  static final Duration READING = Duration.ofSeconds(5);

  private StoreRetry() {}

  /** Returns the longest wait after an attempt, the first of which is 0. */
  static Duration bound(int attempt) {
    Duration doubled = BASE.multipliedBy(1L << attempt);
    return doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
  }

  /** Makes a request that changes nothing. */
  static <T> T read(String what, Supplier<T> request) {
    return read(what, attempt -> request.get(), Thread::sleep, System::nanoTime);
  }

  static <T> T read(String what, Attempt<T> request, Wait wait, LongSupplier nanos) {
    long begun = nanos.getAsLong();
    return run(
        what,
        request,
        wait,
        ErrorClassifier::ofRead,
        () -> nanos.getAsLong() - begun >= READING.toNanos());
  }

  /** Makes a request that writes. */
  static <T> T run(String what, Supplier<T> request) {
    return run(what, attempt -> request.get());
  }

  static <T> T run(String what, Attempt<T> request) {
    return run(what, request, Thread::sleep);
  }

  static <T> T run(String what, Attempt<T> request, Wait wait) {
    return run(what, request, wait, ErrorClassifier::ofWrite, () -> false);
  }

  private static <T> T run(
      String what,
      Attempt<T> request,
      Wait wait,
      Function<Throwable, StoreException.Reason> reason,
      Deadline deadline) {
    for (int attempt = 0; ; attempt++) {
      try {
        return request.make(attempt);
      } catch (SdkException e) {
        if (ErrorClassifier.isInterrupt(e)) {
          throw interrupted(what, e);
        }
        if (!TransientErrors.passes(e) || deadline.isOver()) {
          throw failed(what, e, reason.apply(e));
        }
        pause(what, attempt, e, wait);
      } catch (RejectedExecutionException | IllegalStateException e) {
        // A client that was closed before the store.
        throw failed(what, e, StoreException.Reason.UNAVAILABLE);
      }
    }
  }

  /** Waits after an attempt in vain, or gives up. */
  static void pause(String what, int attempt, @Nullable SdkException cause) {
    pause(what, attempt, cause, Thread::sleep);
  }

  private static void pause(String what, int attempt, @Nullable SdkException cause, Wait wait) {
    if (attempt + 1 >= ATTEMPTS) {
      throw failed(what, cause, StoreException.Reason.UNAVAILABLE);
    }
    try {
      wait.millis(ThreadLocalRandom.current().nextLong(bound(attempt).toMillis() + 1));
    } catch (InterruptedException e) {
      throw interrupted(what, cause);
    }
  }

  private static StoreException interrupted(String what, @Nullable RuntimeException cause) {
    Thread.currentThread().interrupt();
    return new StoreException(
        StoreException.Reason.INTERRUPTED,
        "the calling thread was interrupted before DynamoDB did " + what,
        cause == null ? null : new SanitizedSdkException(cause));
  }

  private static StoreException failed(
      String what, @Nullable RuntimeException cause, StoreException.Reason reason) {
    return cause == null
        ? new StoreException(reason, "DynamoDB did not " + what + ": it has too much to do", null)
        : new StoreException(
            reason,
            "DynamoDB did not %s: %s".formatted(what, ErrorHints.on(cause)),
            new SanitizedSdkException(cause));
  }

  /** A way to let time pass. */
  interface Wait {
    void millis(long millis) throws InterruptedException;
  }

  /** A request that wants to know whether it is a repetition. */
  interface Attempt<T> {
    T make(int attempt);
  }

  /** Says when no further attempt may begin. */
  private interface Deadline {
    boolean isOver();
  }
}
