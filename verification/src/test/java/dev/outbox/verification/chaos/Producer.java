package dev.outbox.verification.chaos;

import dev.outbox.Outbox;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Threads that ask for emails until they are told to stop; what goes wrong stops none of them. */
final class Producer implements AutoCloseable {

  private static final int RACERS = 2;
  private static final long RACER_PAUSE_MILLIS = 12;

  private final CountDownLatch over = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();

  Producer(
      NodeSettings settings, Map<Line, Place> places, Map<Line, Outbox> outboxes, Journal journal) {
    if (settings.perSecond() == 0) {
      return;
    }
    Requests requests = new Requests(settings, places, outboxes, journal);
    threads.add(
        new Thread(
            () -> repeat(settings.seed(), 1_000 / settings.perSecond(), requests::next),
            "producer"));
    KeyRace race = new KeyRace(outboxes, journal);
    for (int i = 0; i < RACERS; i++) {
      long seed = settings.seed() + 1 + i;
      threads.add(new Thread(() -> repeat(seed, RACER_PAUSE_MILLIS, race::next), "racer-" + i));
    }
  }

  void start() {
    threads.forEach(Thread::start);
  }

  private void repeat(long seed, long pauseMillis, Asking asking) {
    Random random = new Random(seed);
    try {
      while (!over.await(random.nextLong(2 * pauseMillis + 1), TimeUnit.MILLISECONDS)) {
        attempt(random, asking);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void attempt(Random random, Asking asking) {
    try {
      asking.ask(random);
    } catch (Exception e) {
      // Not accepted, so nothing is promised; the journal says that it was asked for.
      System.out.println("refused: " + e.getClass().getName());
    }
  }

  /** One request, or a few that belong together. */
  interface Asking {
    void ask(Random random) throws Exception;
  }

  @Override
  public void close() {
    over.countDown();
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
