package dev.outbox.internal.record;

import dev.outbox.internal.logging.ErrorSummary;
import dev.outbox.internal.node.InFlightEmails;
import dev.outbox.store.Completion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gathers results and has them recorded in groups: when 200 wait, when 20 ms have passed, or when
 * nothing else is in flight; never while the group before is being written. An error does not end
 * it and loses no result.
 */
public final class CompletionBatcher implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(CompletionBatcher.class);

  private static final long PAUSE_AFTER_ERROR = Duration.ofMillis(10).toNanos();

  private static final int ENOUGH = 200;
  private static final int MOST = 500;

  private final CompletionRecorder recorder;
  private final InFlightEmails inFlight;
  private final long lingerNanos;
  private final BlockingQueue<Completion> queue = new LinkedBlockingQueue<>();
  private volatile boolean lingering;
  private volatile boolean stopping;

  public CompletionBatcher(CompletionRecorder recorder, InFlightEmails inFlight, Duration linger) {
    this.recorder = recorder;
    this.inFlight = inFlight;
    this.lingerNanos = linger.toNanos();
  }

  /** Adds a result. The writer is woken for the first one and for a whole group, not for each. */
  public void add(Completion completion) {
    queue.add(completion);
    if (lingering && isGroup(queue.size() + 1)) {
      wake();
    }
  }

  private synchronized void wake() {
    notifyAll();
  }

  private boolean isGroup(int results) {
    return results >= ENOUGH || results >= inFlight.size();
  }

  /** Lets the thread end once all that was added is handed over. */
  public void stop() {
    stopping = true;
    wake();
  }

  @Override
  public void run() {
    List<Completion> group = new ArrayList<>();
    while (!stopping || !queue.isEmpty() || !group.isEmpty()) {
      try {
        if (group.isEmpty()) {
          gather(group);
        }
        if (!group.isEmpty()) {
          recorder.keep(group);
          group.clear();
          recorder.recordKept();
        }
      } catch (InterruptedException e) {
        // Only stop() ends this thread: the store or the host's metrics may leave an interrupt.
        ErrorSummary.logSafely(() -> log.debug("the thread that records results was interrupted"));
      } catch (Throwable e) {
        ErrorSummary.logSafely(
            () ->
                log.error("recording failed, the thread continues: {}", ErrorSummary.describe(e)));
        LockSupport.parkNanos(PAUSE_AFTER_ERROR);
      }
    }
  }

  private void gather(List<Completion> group) throws InterruptedException {
    Completion first = queue.poll(100, TimeUnit.MILLISECONDS);
    if (first == null) {
      return;
    }
    group.add(first);
    linger();
    queue.drainTo(group, MOST - group.size());
  }

  private synchronized void linger() throws InterruptedException {
    long end = System.nanoTime() + lingerNanos;
    lingering = true;
    try {
      for (long left = lingerNanos;
          left > 0 && !isGroup(queue.size() + 1) && !stopping;
          left = end - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } finally {
      lingering = false;
    }
  }
}
