package dev.outbox.internal.record;

import dev.outbox.email.State;
import dev.outbox.internal.concurrent.UninterruptedWaits;
import dev.outbox.internal.event.EventPublisher;
import dev.outbox.internal.event.GuardedMetrics;
import dev.outbox.internal.logging.ErrorSummary;
import dev.outbox.internal.node.InFlightEmails;
import dev.outbox.internal.node.StoreAvailability;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.StoreException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records what became of emails. A result that the store does not take is kept until it does. Safe
 * for many threads.
 *
 * <p>An error that one email may have caused is not an outage: the batch is split in halves until
 * the failing email is alone, and that email is recorded in its {@linkplain Completion#reduced()
 * reduced form}. If that fails too, the email is not the cause.
 */
public final class CompletionRecorder {

  private static final Logger log = LoggerFactory.getLogger(CompletionRecorder.class);

  private static final Duration AGAIN = Duration.ofMillis(200);

  /** The most results in one call of the store. */
  private static final int BATCH = 500;

  /** How long one thread records until another one gets its turn: a heartbeat may wait for it. */
  private static final long TURN = Duration.ofSeconds(1).toNanos();

  private final OutboxStore store;
  private final StoreAvailability availability;
  private final InFlightEmails inFlight;
  private final CompletionEvents announcements;
  private final AtomicLong lost = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock(true);

  /** The results that are not recorded, the oldest first. Guarded by the lock. */
  private final List<Completion> kept = new ArrayList<>();

  /** The sizes of the parts into which a failing batch was split. Guarded by the lock. */
  private final Deque<Integer> parts = new ArrayDeque<>();

  private volatile Consumer<Completion> eachRecorded = done -> {};
  private volatile Runnable afterBatch = () -> {};
  private volatile boolean behind;

  /** The size of {@link #kept}, for readers that must not wait for a call of the store. */
  private volatile int keptSize;

  public CompletionRecorder(
      OutboxStore store,
      StoreAvailability availability,
      InFlightEmails inFlight,
      EventPublisher publisher,
      GuardedMetrics metrics) {
    this.store = store;
    this.availability = availability;
    this.inFlight = inFlight;
    this.announcements = new CompletionEvents(publisher, metrics);
  }

  /** Sets what is done when some host is to be told. */
  public void onCallbackDue(Runnable action) {
    announcements.onCallbackDue(action);
  }

  /**
   * Sets what is done when results are recorded.
   *
   * @param each called with each result
   * @param batch called after the results of one call of the store
   */
  public void onRecorded(Consumer<Completion> each, Runnable batch) {
    eachRecorded = each;
    afterBatch = batch;
  }

  /** Records results now, or keeps them if the store is unavailable. */
  public void record(List<Completion> completions) {
    keep(completions);
    recordKept();
  }

  /** Takes results over; {@link #recordKept()} or {@link #flush()} records them. */
  void keep(List<Completion> completions) {
    lock.lock();
    try {
      kept.addAll(completions);
      keptSize = kept.size();
    } finally {
      lock.unlock();
    }
  }

  /** Records what was kept, unless the store is unavailable. */
  void recordKept() {
    boolean more = true;
    while (more) {
      more = recordForOneTurn();
    }
  }

  private boolean recordForOneTurn() {
    lock.lock();
    try {
      if (availability.isUnavailable()) {
        behind = !kept.isEmpty();
        return false;
      }
      flush();
      return !kept.isEmpty();
    } catch (Throwable e) {
      if (!isInterrupt(e)) {
        availability.markUnavailable(e);
      }
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether results wait that no thread is recording at the moment. */
  public boolean hasUnwrittenCompletions() {
    return behind;
  }

  /**
   * Records what was kept, for about a second at most; {@link #hasUnwrittenCompletions()} says
   * whether some is left.
   *
   * @throws RuntimeException if the store does not take it; it is kept
   */
  public void flush() {
    lock.lock();
    try {
      long start = System.nanoTime();
      boolean hasTurn = true;
      behind |= !parts.isEmpty();
      while (!kept.isEmpty() && hasTurn) {
        recordNext();
        hasTurn = System.nanoTime() - start < TURN;
      }
      behind = !kept.isEmpty();
    } catch (Throwable e) {
      behind = true;
      parts.clear();
      throw e;
    } finally {
      lock.unlock();
    }
  }

  private void recordNext() {
    int size = parts.isEmpty() ? Math.min(BATCH, kept.size()) : parts.removeFirst();
    List<Completion> batch = List.copyOf(kept.subList(0, size));
    List<CompletionResult> results;
    try {
      results = complete(batch);
    } catch (Throwable e) {
      if (!StoreAvailability.mayBeCausedByAnEmail(e)) {
        throw e;
      }
      if (size > 1) {
        parts.addFirst(size - size / 2);
        parts.addFirst(size / 2);
        return;
      }
      Completion reduced = batch.get(0).reduced();
      results = complete(List.of(reduced));
      ErrorSummary.logSafely(
          () ->
              log.error(
                  "{}: the store rejects its result; it is recorded as {} without texts: {}",
                  reduced.id(),
                  reduced.to().wireName(),
                  ErrorSummary.describe(e)));
      batch = List.of(reduced);
    }
    kept.subList(0, size).clear();
    keptSize = kept.size();
    recorded(batch, results);
  }

  private List<CompletionResult> complete(List<Completion> batch) {
    List<CompletionResult> results = store.complete(batch);
    if (results.size() != batch.size()) {
      throw new IllegalStateException(
          "the store answered %d of %d completions".formatted(results.size(), batch.size()));
    }
    return results;
  }

  /**
   * Announces recorded results and removes them from what is unrecorded and in flight. No error of
   * an announcement prevents that. Emails leave the set in flight last: when it is empty, all
   * results are counted and their events posted.
   */
  private void recorded(List<Completion> batch, List<CompletionResult> results) {
    batch.forEach(eachRecorded);
    for (int i = 0; i < batch.size(); i++) {
      announce(batch.get(i), results.get(i));
    }
    batch.forEach(done -> inFlight.remove(done.id(), done.token()));
    inFlight.signalRoom();
    for (int i = 0; i < batch.size(); i++) {
      if (results.get(i) == CompletionResult.LOST && batch.get(i).from() == State.INTAKING) {
        lost.incrementAndGet();
      }
    }
    afterBatch.run();
  }

  private void announce(Completion done, CompletionResult result) {
    try {
      announcements.announce(done, result);
    } catch (Throwable e) {
      ErrorSummary.logSafely(
          () ->
              log.error(
                  "{}: announcing its result failed: {}", done.id(), ErrorSummary.describe(e)));
    }
  }

  /**
   * Records all that was kept, and tries again for a while if the store does not take it: an email
   * that was sent and whose result is forgotten may leave twice. An interrupt does not end this.
   *
   * @return whether all is recorded
   */
  public boolean flushWithin(Duration patience) {
    return UninterruptedWaits.await(System.nanoTime() + patience.toNanos(), this::settleFor);
  }

  private boolean settleFor(long nanos) throws InterruptedException {
    long end = System.nanoTime() + nanos;
    boolean settled = trySettle();
    while (!settled && System.nanoTime() - end < 0) {
      Thread.sleep(AGAIN.toMillis());
      settled = trySettle();
    }
    return settled;
  }

  private boolean trySettle() {
    try {
      flush();
      return !behind;
    } catch (Throwable e) {
      return false;
    }
  }

  private static boolean isInterrupt(Throwable e) {
    return e instanceof StoreException store && store.reason() == StoreException.Reason.INTERRUPTED;
  }

  /** Returns how many emails this node has sent. */
  public long sentCount() {
    return announcements.sentCount();
  }

  /** Returns how many emails this node has failed permanently. */
  public long failedCount() {
    return announcements.failedCount();
  }

  /** Returns how many callbacks this node has abandoned. */
  public long abandonedCount() {
    return announcements.abandonedCount();
  }

  /** Returns how many results of taking in were refused: those emails may be further than known. */
  public long lostCount() {
    return lost.get();
  }

  /** Returns how many results cannot be recorded at the moment. It never waits for the store. */
  public int keptCount() {
    return behind ? keptSize : 0;
  }
}
