package dev.outbox.internal;

import dev.outbox.store.Completion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Gathers results and has them recorded in groups: when 400 wait, when 40 ms have passed, or when
 * nothing else is in flight; never while the group before is being written.
 */
final class GroupWriter implements Runnable {

  private static final int ENOUGH = 400;
  private static final int MOST = 500;

  private final Ledger ledger;
  private final InFlight inFlight;
  private final long lingerNanos;
  private final BlockingQueue<Completion> queue = new LinkedBlockingQueue<>();
  private volatile boolean stopping;

  GroupWriter(Ledger ledger, InFlight inFlight, Duration linger) {
    this.ledger = ledger;
    this.inFlight = inFlight;
    this.lingerNanos = linger.toNanos();
  }

  void add(Completion completion) {
    queue.add(completion);
  }

  /** Lets the thread end once all that was added is handed over. */
  void stop() {
    stopping = true;
  }

  @Override
  public void run() {
    List<Completion> group = new ArrayList<>();
    while (!stopping || !queue.isEmpty()) {
      try {
        gather(group);
      } catch (InterruptedException e) {
        stopping = true;
      }
      if (!group.isEmpty()) {
        ledger.record(List.copyOf(group));
        group.clear();
      }
    }
  }

  private void gather(List<Completion> group) throws InterruptedException {
    Completion first = queue.poll(100, TimeUnit.MILLISECONDS);
    if (first == null) {
      return;
    }
    group.add(first);
    long end = System.nanoTime() + lingerNanos;
    queue.drainTo(group, MOST - group.size());
    while (group.size() < ENOUGH && group.size() < inFlight.size() && !stopping) {
      Completion next = queue.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (next == null) {
        return;
      }
      group.add(next);
      queue.drainTo(group, MOST - group.size());
    }
  }
}
