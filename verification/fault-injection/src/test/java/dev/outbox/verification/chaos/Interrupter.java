package dev.outbox.verification.chaos;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/** Interrupts threads that send, at random moments, and knows which calls that concerned. */
final class Interrupter {

  private static final long PENDING = -1;

  private final Map<Thread, Interrupts> threads = new ConcurrentHashMap<>();

  /** How often a thread was interrupted; guarded by itself. */
  private static final class Interrupts {
    private long count;
  }

  /** Removes a thread that has ended. */
  void remove(Thread thread) {
    threads.remove(thread);
  }

  /** Adds a thread that may be interrupted. */
  void add(Thread thread) {
    threads.put(thread, new Interrupts());
  }

  /** Interrupts one of the threads. */
  void interruptOne(Random random) {
    List<Thread> all = List.copyOf(threads.keySet());
    if (!all.isEmpty()) {
      interrupt(all.get(random.nextInt(all.size())));
    }
  }

  /** Interrupts a thread that was added. */
  void interrupt(Thread thread) {
    Interrupts own = Objects.requireNonNull(threads.get(thread));
    synchronized (own) {
      own.count++;
      thread.interrupt();
    }
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
