package dev.outbox.verification.chaos;

import dev.outbox.email.Receipt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that send at the same moment, more of them than there are connections, so that stores
 * write the emails of several in one transaction. Every second thread may be interrupted.
 */
final class SenderCrowd {

  private static final int SENDERS = 16;
  private static final int LONGEST_PAUSE_MILLIS = 300;
  private static final int MOST_INTERRUPTS = 4;
  private static final int LONGEST_CALL_MILLIS = 8;
  private static final long PATIENCE_SECONDS = 60;

  private final String name;
  private final WatchedSends sends;
  private final Interrupter interrupter;
  private final Journal journal;
  private final AtomicInteger counter = new AtomicInteger();

  SenderCrowd(String name, WatchedSends sends, Interrupter interrupter, Journal journal) {
    this.name = name;
    this.sends = sends;
    this.interrupter = interrupter;
    this.journal = journal;
  }

  /**
   * Lets the threads send again and again, and interrupts some of them, and of the node's others, a
   * few milliseconds after each begin.
   *
   * @param over ends it before its time
   * @return how many interrupts there were
   */
  int interrupt(Duration length, Random random, CountDownLatch over) throws InterruptedException {
    // Its waits are not ended by an interrupt, which then meets the next call.
    Phaser begin = new Phaser(SENDERS + 1);
    Line line = random.nextInt(3) == 0 ? Line.HOLD : Line.RESEND;
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < SENDERS; i++) {
      Thread thread = new Thread(() -> send(line, begin), "crowd-" + i);
      threads.add(thread);
      if (i % 2 == 0) {
        interrupter.add(thread);
      }
      thread.start();
    }
    int count = 0;
    long end = System.nanoTime() + length.toNanos();
    try {
      while (System.nanoTime() < end
          && !over.await(random.nextInt(LONGEST_PAUSE_MILLIS), TimeUnit.MILLISECONDS)) {
        begin.awaitAdvanceInterruptibly(begin.arrive(), PATIENCE_SECONDS, TimeUnit.SECONDS);
        for (int i = random.nextInt(MOST_INTERRUPTS); i >= 0; i--) {
          over.await(random.nextInt(LONGEST_CALL_MILLIS), TimeUnit.MILLISECONDS);
          interrupter.interrupt(threads.get(2 * random.nextInt(SENDERS / 2)));
          count++;
        }
        interrupter.interruptOne(random);
        count++;
      }
    } catch (TimeoutException e) {
      // A call takes very long: the database is away.
      System.out.println("crowd: " + e.getClass().getName());
    } finally {
      begin.forceTermination();
    }
    for (Thread thread : threads) {
      // Removed after its last call, which may have been interrupted.
      thread.join();
      interrupter.remove(thread);
    }
    return count;
  }

  private void send(Line line, Phaser begin) {
    while (begin.arriveAndAwaitAdvance() >= 0) {
      try {
        Request request = Request.plain("crowd-" + name + "-" + counter.getAndIncrement());
        journal.write(JournalVerb.ASKING, line, request.name());
        Receipt receipt = sends.send(line, request.email());
        journal.write(
            JournalVerb.ACCEPTED, line, request.name(), receipt.id(), receipt.created(), "-");
      } catch (RuntimeException e) {
        // The sends report it.
        System.out.println("refused: " + e.getClass().getName());
      }
      boolean unused = Thread.interrupted();
    }
  }
}
