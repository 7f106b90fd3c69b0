package dev.outbox.smtp;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** How many emails a relay gets each second from this node. Safe for many threads. */
final class RateLimiter {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final LongSupplier nanos;
  private final int perSecond;
  private final @Nullable Bucket bucket;
  private long nextTurn;

  RateLimiter(int perSecond, LongSupplier nanos) {
    this.nanos = nanos;
    this.perSecond = perSecond;
    this.nextTurn = nanos.getAsLong();
    this.bucket =
        perSecond == Integer.MAX_VALUE
            ? null
            : Bucket.builder()
                .addLimit(
                    limit ->
                        limit.capacity(perSecond).refillGreedy(perSecond, Duration.ofSeconds(1)))
                .withCustomTimePrecision(new Meter(nanos))
                .build();
  }

  /** Returns how many of the emails wanted could go now; takes none. */
  int open(int wanted) {
    return bucket == null ? wanted : (int) Math.min(wanted, bucket.getAvailableTokens());
  }

  /** Takes leave to send one email now; returns whether there was any. */
  boolean take() {
    return bucket == null || bucket.tryConsume(1);
  }

  /** Returns when an email that has to wait may come back: each has a turn of its own. */
  synchronized Duration turn() {
    long now = nanos.getAsLong();
    nextTurn = Math.max(nextTurn - now, 0) + now + SECOND / perSecond;
    return Duration.ofNanos(nextTurn - now);
  }

  private record Meter(LongSupplier nanos) implements TimeMeter {
    @Override
    public long currentTimeNanos() {
      return nanos.getAsLong();
    }

    @Override
    public boolean isWallClockBased() {
      return false;
    }
  }
}
