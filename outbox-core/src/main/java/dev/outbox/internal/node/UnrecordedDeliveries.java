package dev.outbox.internal.node;

import dev.outbox.email.EmailId;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.RecipientResult.Status;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The results of deliveries that are not recorded yet, and the limits on them: if this node is
 * killed, each of these emails may be delivered a second time.
 *
 * <p>A delivery reserves its place before it starts, so that deliveries in progress and unrecorded
 * results together never exceed the limit. While no limit is reached, a start costs a few volatile
 * reads and one atomic increment. Safe for many threads.
 */
public final class UnrecordedDeliveries {

  /** A waiting thread is notified; this only limits the damage of a missed notification. */
  private static final long RECHECK_MILLIS = 60_000;

  private final int maxResults;
  private final long maxAge;
  private final LongSupplier nanos;
  private final AtomicInteger reserved = new AtomicInteger();
  private final Map<Key, Entry> entries = new ConcurrentHashMap<>();
  private final Queue<Entry> byAge = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();

  public UnrecordedDeliveries(int maxResults, Duration maxAge, LongSupplier nanos) {
    this.maxResults = maxResults;
    this.maxAge = maxAge.toNanos();
    this.nanos = nanos;
  }

  /**
   * Reserves a place for a delivery that starts now, and waits for it if a limit is reached. A
   * caller that got a place has to call {@link #ended()}.
   *
   * @param stops whether the caller has to give up instead; changes are announced by {@link #wake}
   * @return false if the caller has to give up; it then has no place
   */
  public boolean awaitStart(BooleanSupplier stops) throws InterruptedException {
    if (!stops.getAsBoolean() && tryStart()) {
      return true;
    }
    waiting.incrementAndGet();
    try {
      synchronized (this) {
        while (!stops.getAsBoolean()) {
          if (tryStart()) {
            return true;
          }
          TimeUnit.MILLISECONDS.timedWait(this, RECHECK_MILLIS);
        }
        return false;
      }
    } finally {
      waiting.decrementAndGet();
    }
  }

  private boolean tryStart() {
    int before = reserved.get();
    while (before < maxResults && !isOldestTooOld()) {
      if (reserved.compareAndSet(before, before + 1)) {
        return true;
      }
      before = reserved.get();
    }
    return false;
  }

  private boolean isOldestTooOld() {
    Entry oldest = byAge.peek();
    return oldest != null && nanos.getAsLong() - oldest.since > maxAge;
  }

  /** Gives back the place of a delivery; its result, if it counts, has one of its own by now. */
  public void ended() {
    reserved.decrementAndGet();
    wake();
  }

  /** Adds the result of a delivery that is about to be recorded, if it counts. */
  public void add(Claim claim, Completion result) {
    if (!mayHaveReachedRelay(claim, result)) {
      return;
    }
    reserved.incrementAndGet();
    Entry added = new Entry(nanos.getAsLong());
    Entry entry =
        entries.merge(
            new Key(result.id(), result.token()),
            added,
            (first, second) -> first.withOneMoreResult());
    if (entry == added) {
      byAge.add(entry);
    }
  }

  /** Removes a result that is recorded. */
  public void recorded(Completion result) {
    Key key = new Key(result.id(), result.token());
    Entry entry = entries.get(key);
    if (entry == null) {
      return;
    }
    reserved.decrementAndGet();
    entries.computeIfPresent(key, (same, results) -> results.withOneResultLess() ? null : results);
    if (entry.isRecorded()) {
      byAge.remove(entry);
    }
  }

  /** Lets waiting threads look again: results are recorded, the node closes, or the store fails. */
  public void wake() {
    if (waiting.get() > 0) {
      synchronized (this) {
        notifyAll();
      }
    }
  }

  /**
   * Returns whether a relay may have the email after this result: it accepted or refused a
   * recipient, or its answer is unknown. Results without an answer of a relay use no attempt.
   */
  private static boolean mayHaveReachedRelay(Claim claim, Completion result) {
    if (result.isDelivery()) {
      return true;
    }
    List<RecipientResult> recipients = result.report().recipients();
    return result.from() == State.PROCESSING
        && (recipients.isEmpty()
            ? result.progress().attempts() > claim.email().progress().attempts()
            : recipients.stream().anyMatch(each -> each.status() != Status.PENDING));
  }

  /** A claim: one email may be claimed again by the same node. */
  private record Key(EmailId id, long token) {}

  /** The unrecorded results of one claim: a delivery given up as unknown may still succeed. */
  private static final class Entry {
    private final long since;
    private final AtomicInteger results = new AtomicInteger(1);

    Entry(long since) {
      this.since = since;
    }

    Entry withOneMoreResult() {
      results.incrementAndGet();
      return this;
    }

    boolean withOneResultLess() {
      return results.decrementAndGet() == 0;
    }

    boolean isRecorded() {
      return results.get() <= 0;
    }
  }
}
