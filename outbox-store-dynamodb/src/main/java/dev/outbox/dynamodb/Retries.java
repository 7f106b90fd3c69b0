package dev.outbox.dynamodb;

import dev.outbox.store.StoreException;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * Repeats what met passing trouble: eight attempts, and before the next one a wait between zero and
 * 30 ms doubled each time, at most a second. Ends at once when the thread is interrupted.
 */
final class Retries {

  static final int ATTEMPTS = 8;
  static final Duration BASE = Duration.ofMillis(30);
  static final Duration LONGEST = Duration.ofSeconds(1);

  private Retries() {}

  /** Returns the longest wait after an attempt, the first of which is 0. */
  static Duration bound(int attempt) {
    Duration doubled = BASE.multipliedBy(1L << attempt);
    return doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
  }

  static <T> T run(String what, Supplier<T> request) {
    return run(what, attempt -> request.get());
  }

  static <T> T run(String what, Attempt<T> request) {
    return run(what, request, Thread::sleep);
  }

  static <T> T run(String what, Attempt<T> request, Wait wait) {
    for (int attempt = 0; ; attempt++) {
      try {
        return request.make(attempt);
      } catch (SdkException e) {
        if (!Trouble.passes(e)) {
          throw failed(what, e);
        }
        pause(what, attempt, e, wait);
      } catch (RejectedExecutionException | IllegalStateException e) {
        // A client that was closed before the store.
        throw failed(what, e);
      }
    }
  }

  /** Waits after an attempt in vain, or gives up. */
  static void pause(String what, int attempt, @Nullable SdkException cause) {
    pause(what, attempt, cause, Thread::sleep);
  }

  private static void pause(String what, int attempt, @Nullable SdkException cause, Wait wait) {
    if (attempt + 1 >= ATTEMPTS) {
      throw failed(what, cause);
    }
    try {
      wait.millis(ThreadLocalRandom.current().nextLong(bound(attempt).toMillis() + 1));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed(what, cause);
    }
  }

  private static StoreException failed(String what, @Nullable RuntimeException cause) {
    return cause == null
        ? new StoreException(
            StoreException.Reason.UNAVAILABLE,
            "DynamoDB did not " + what + ": it has too much to do",
            null)
        : new StoreException(
            StoreException.Reason.UNAVAILABLE,
            "DynamoDB did not %s: %s".formatted(what, Advice.on(cause)),
            new SdkTrouble(cause));
  }

  /** A way to let time pass. */
  interface Wait {
    void millis(long millis) throws InterruptedException;
  }

  /** A request that wants to know whether it is a repetition. */
  interface Attempt<T> {
    T make(int attempt);
  }
}
