package dev.outbox.verification.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Interrupts threads that send, at random moments, and knows which calls that concerned. */
final class Interrupter {

  private static final int LONGEST_PAUSE_MILLIS = 60;
  private static final long PENDING = -1;

  private final Map<Thread, Interrupts> threads = new ConcurrentHashMap<>();

  /** How often a thread was interrupted; guarded by itself. */
  private static final class Interrupts {
    private long count;
  }

  /** Adds a thread that may be interrupted. */
  void add(Thread thread) {
    threads.put(thread, new Interrupts());
  }

  /**
   * Interrupts one thread after the other.
   *
   * @param over ends it before its time
   * @return how many interrupts there were
   */
  int interrupt(Duration length, Random random, CountDownLatch over) throws InterruptedException {
    long end = System.nanoTime() + length.toNanos();
    int count = 0;
    while (System.nanoTime() < end
        && !over.await(1 + random.nextInt(LONGEST_PAUSE_MILLIS), TimeUnit.MILLISECONDS)) {
      List<Map.Entry<Thread, Interrupts>> all = List.copyOf(threads.entrySet());
      Map.Entry<Thread, Interrupts> one = all.get(random.nextInt(all.size()));
      synchronized (one.getValue()) {
        one.getValue().count++;
        one.getKey().interrupt();
      }
      count++;
    }
    return count;
  }

  /** Returns what {@link #isInterrupted} needs to know about the begin of a call. */
  long begin() {
    Interrupts own = threads.get(Thread.currentThread());
    if (own == null) {
      return 0;
    }
    synchronized (own) {
      return Thread.currentThread().isInterrupted() ? PENDING : own.count;
    }
  }

  /** Returns whether the calling thread was interrupted before or since the begin of its call. */
  boolean isInterrupted(long begin) {
    Interrupts own = threads.get(Thread.currentThread());
    if (own == null) {
      return false;
    }
    synchronized (own) {
      return begin == PENDING || own.count != begin;
    }
  }
}
