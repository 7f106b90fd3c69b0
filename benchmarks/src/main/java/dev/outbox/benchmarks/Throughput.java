package dev.outbox.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/** Emails a second of several senders at once. */
final class Throughput {

  private Throughput() {}

  /**
   * Opens the senders, lets them all work for a time, and returns how many emails a second went.
   */
  static double measure(MailClient.Factory factory, int connections, Duration time)
      throws IOException, InterruptedException {
    List<MailClient> senders = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      senders.add(factory.open());
    }
    LongAdder sent = new LongAdder();
    AtomicReference<IOException> failure = new AtomicReference<>();
    CountDownLatch go = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (MailClient sender : senders) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  go.await();
                  long end = System.nanoTime() + time.toNanos();
                  long count = 0;
                  while (System.nanoTime() - end < 0) {
                    sender.send();
                    count++;
                  }
                  sent.add(count);
                } catch (IOException e) {
                  failure.set(e);
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      thread.start();
      threads.add(thread);
    }
    long start = System.nanoTime();
    go.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    for (MailClient sender : senders) {
      sender.close();
    }
    IOException failed = failure.get();
    if (failed != null) {
      throw failed;
    }
    return sent.sum() / seconds;
  }
}
