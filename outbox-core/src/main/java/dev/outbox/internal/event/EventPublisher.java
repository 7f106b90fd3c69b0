package dev.outbox.internal.event;

import com.google.common.eventbus.EventBus;
import dev.outbox.email.EmailId;
import dev.outbox.event.OutboxEvent;
import dev.outbox.internal.concurrent.UninterruptedWaits;
import dev.outbox.internal.logging.ErrorSummary;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings events to the host's subscribers. Once started it does so on a thread of its own with a
 * bounded queue, so that a slow subscriber loses events and slows nobody; before that, on the
 * caller's thread.
 */
public final class EventPublisher {

  private static final Logger log = LoggerFactory.getLogger(EventPublisher.class);
  private static final int CAPACITY = 10_000;

  /** Batches take one place in the queue each, so that their events are counted apart. */
  private static final int BATCH_CAPACITY = 100_000;

  /**
   * Events of the same kind about several emails; one event is a batch too.
   *
   * @param weight how many of them count towards the capacity of batches
   */
  private record Batch(List<EmailId> ids, Function<EmailId, OutboxEvent> event, int weight) {}

  private final EventBus bus;
  private final BlockingQueue<Batch> queue = new ArrayBlockingQueue<>(CAPACITY);
  private final AtomicInteger waitingInBatches = new AtomicInteger();
  private final AtomicLong lost = new AtomicLong();
  private volatile @Nullable Thread thread;
  private volatile long giveUpAt;
  private volatile boolean stopping;

  public EventPublisher(EventBus bus) {
    this.bus = bus;
  }

  /** Posts an event, or drops it if the queue is full. */
  public void post(OutboxEvent event) {
    post(new Batch(List.of(event.id()), id -> event, 0));
  }

  /**
   * Posts an event for each of several emails. They take one place in the queue, so that a large
   * batch does not push out the events of others.
   */
  public void postAll(List<EmailId> ids, Function<EmailId, OutboxEvent> event) {
    if (!ids.isEmpty()) {
      post(new Batch(ids, event, ids.size() == 1 ? 0 : ids.size()));
    }
  }

  private void post(Batch batch) {
    if (thread == null) {
      deliver(batch);
      return;
    }
    Batch kept = reserve(batch);
    int lostEvents = batch.ids().size() - kept.ids().size();
    if (!kept.ids().isEmpty() && !queue.offer(kept)) {
      waitingInBatches.addAndGet(-kept.weight());
      lostEvents = batch.ids().size();
    }
    if (lostEvents > 0 && lost.getAndAdd(lostEvents) == 0) {
      log.warn("subscribers are too slow: events are being lost");
    }
  }

  /** Returns as much of a batch as there is room for. */
  private Batch reserve(Batch batch) {
    int wanted = batch.weight();
    int before =
        waitingInBatches.getAndUpdate(
            waiting -> waiting + Math.min(wanted, BATCH_CAPACITY - waiting));
    int room = BATCH_CAPACITY - before;
    return wanted <= room ? batch : new Batch(batch.ids().subList(0, room), batch.event(), room);
  }

  /** Starts the thread that delivers events. */
  public void start(ThreadFactory threads) {
    Thread started = threads.newThread(this::run);
    started.start();
    thread = started;
  }

  /** Delivers what is queued, for no longer than the given time, and ends the thread. */
  public void stop(Duration grace) {
    Thread running = thread;
    if (running == null) {
      return;
    }
    giveUpAt = System.nanoTime() + grace.toNanos();
    stopping = true;
    UninterruptedWaits.join(running, grace);
    thread = null;
  }

  private void run() {
    while (!isOver()) {
      try {
        deliverNext();
      } catch (InterruptedException e) {
        // A subscriber may interrupt this thread; only stop() ends it.
        ErrorSummary.logSafely(() -> log.debug("the thread that delivers events was interrupted"));
      } catch (Throwable e) {
        ErrorSummary.logSafely(
            () ->
                log.error(
                    "delivering an event failed, the thread continues: {}",
                    ErrorSummary.describe(e)));
      }
    }
  }

  private void deliverNext() throws InterruptedException {
    Batch batch = queue.poll(100, TimeUnit.MILLISECONDS);
    if (batch == null) {
      reportLost();
      return;
    }
    waitingInBatches.addAndGet(-batch.weight());
    deliver(batch);
  }

  /** The bus swallows an interrupt, so that the clock has to say when it is enough. */
  private boolean isOver() {
    return stopping && (queue.isEmpty() || System.nanoTime() - giveUpAt >= 0);
  }

  /** Returns the name of the thread if it has ended though it should run. */
  public Optional<String> endedThread() {
    Thread running = thread;
    return running == null || stopping || running.isAlive()
        ? Optional.empty()
        : Optional.of(running.getName());
  }

  private void reportLost() {
    long count = lost.getAndSet(0);
    if (count > 0) {
      log.warn("{} events were lost because subscribers were too slow", count);
    }
  }

  private void deliver(Batch batch) {
    for (EmailId id : batch.ids()) {
      deliver(batch.event().apply(id));
      if (stopping && System.nanoTime() - giveUpAt >= 0) {
        return;
      }
    }
  }

  private void deliver(OutboxEvent event) {
    try {
      bus.post(event);
    } catch (Throwable e) {
      ErrorSummary.logSafely(
          () ->
              log.error(
                  "telling {} of {} failed: {}",
                  event.getClass().getSimpleName(),
                  event.id(),
                  ErrorSummary.describe(e)));
    }
  }
}
