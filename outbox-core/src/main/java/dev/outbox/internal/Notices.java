package dev.outbox.internal;

import com.google.common.eventbus.EventBus;
import dev.outbox.event.OutboxEvent;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings events to the host's subscribers. Once started it does so on a thread of its own with a
 * bounded queue, so that a slow subscriber loses events and slows nobody; before that, on the
 * caller's thread.
 */
final class Notices {

  private static final Logger log = LoggerFactory.getLogger(Notices.class);
  private static final int CAPACITY = 10_000;

  private final EventBus bus;
  private final BlockingQueue<OutboxEvent> queue = new ArrayBlockingQueue<>(CAPACITY);
  private final AtomicLong lost = new AtomicLong();
  private volatile @Nullable Thread thread;
  private volatile long giveUpAt;
  private volatile boolean stopping;

  Notices(EventBus bus) {
    this.bus = bus;
  }

  void post(OutboxEvent event) {
    if (thread == null) {
      deliver(event);
    } else if (!queue.offer(event) && lost.getAndIncrement() == 0) {
      log.warn("subscribers are too slow: events are being lost");
    }
  }

  void start(ThreadFactory threads) {
    Thread started = threads.newThread(this::run);
    started.start();
    thread = started;
  }

  /** Delivers what is queued, for no longer than the given time, and ends the thread. */
  void stop(Duration grace) {
    Thread running = thread;
    if (running == null) {
      return;
    }
    giveUpAt = System.nanoTime() + grace.toNanos();
    stopping = true;
    Threads.join(running, grace);
    thread = null;
  }

  private void run() {
    while (!isOver()) {
      try {
        OutboxEvent event = queue.poll(100, TimeUnit.MILLISECONDS);
        if (event != null) {
          deliver(event);
        } else {
          reportLost();
        }
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** The bus swallows an interrupt, so that the clock has to say when it is enough. */
  private boolean isOver() {
    return stopping && (queue.isEmpty() || System.nanoTime() - giveUpAt >= 0);
  }

  private void reportLost() {
    long count = lost.getAndSet(0);
    if (count > 0) {
      log.warn("{} events were lost because subscribers were too slow", count);
    }
  }

  private void deliver(OutboxEvent event) {
    try {
      bus.post(event);
    } catch (Throwable e) {
      log.error(
          "telling {} of {} failed: {}",
          event.getClass().getSimpleName(),
          event.id(),
          Failures.describe(e));
    }
  }
}
