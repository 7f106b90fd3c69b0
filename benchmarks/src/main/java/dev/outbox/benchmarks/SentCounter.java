package dev.outbox.benchmarks;

import dev.outbox.email.State;
import dev.outbox.monitoring.OutboxMetrics;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Counts what an outbox has sent, and remembers when it last claimed something. What must not
 * happen in a run ends it.
 */
final class SentCounter implements OutboxMetrics {

  private static final Duration PATIENCE = Duration.ofMinutes(30);

  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong claimedAt = new AtomicLong();
  private volatile @Nullable String trouble;

  long sent() {
    return sent.get();
  }

  /** Returns the moment of the last claim, by {@link System#nanoTime()}. */
  long claimedAt() {
    return claimedAt.get();
  }

  void awaitSent(long emails) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (sent.get() < emails) {
      String seen = trouble;
      if (seen != null) {
        throw new IllegalStateException(seen);
      }
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException("only %d of %d were sent".formatted(sent.get(), emails));
      }
      LockSupport.parkNanos(500_000);
    }
  }

  @Override
  public void backlog(State state, int emails, Duration overdue) {}

  @Override
  public void claimed(State from, int emails) {
    claimedAt.set(System.nanoTime());
  }

  @Override
  public void claimsLost(int emails) {
    trouble = "claims were lost";
  }

  @Override
  public void reaped(int emails) {
    trouble = "a living node was reaped";
  }

  @Override
  public void possibleDuplicate() {
    trouble = "an email was sent twice";
  }

  @Override
  public void recorded(State from, State to) {
    if (to == State.SENT) {
      sent.incrementAndGet();
    }
  }

  @Override
  public void worked(State busy, Duration time) {}
}
