package dev.outbox.verification.chaos;

import dev.outbox.Outbox;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Threads that ask for emails until they are told to stop; neither an error nor an interrupt ends
 * one of them.
 */
final class Producer implements AutoCloseable {

  private static final int RACERS = 2;
  private static final long RACER_PAUSE_MILLIS = 12;

  private final CountDownLatch over = new CountDownLatch(1);
  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private final Interrupter interrupter = new Interrupter();
  private final PoisonSender poison;
  private final SenderCrowd crowd;
  private final Consumer<String> answers;

  /**
   * Creates the threads.
   *
   * @param answers takes the lines for the director
   */
  Producer(
      NodeSettings settings,
      Map<Line, Place> places,
      Map<Line, Outbox> outboxes,
      Journal journal,
      Consumer<String> answers) {
    this.answers = answers;
    WatchedSends sends = new WatchedSends(outboxes, interrupter, answers);
    this.poison = new PoisonSender(settings, sends, journal);
    this.crowd = new SenderCrowd(settings.name(), sends, interrupter, journal);
    if (settings.perSecond() == 0) {
      return;
    }
    Requests requests = new Requests(settings, places, outboxes, sends, journal);
    add("producer", () -> repeat(settings.seed(), 1_000 / settings.perSecond(), requests::next));
    KeyRace race = new KeyRace(sends, journal);
    for (int i = 0; i < RACERS; i++) {
      long seed = settings.seed() + 1 + i;
      add("racer-" + i, () -> repeat(seed, RACER_PAUSE_MILLIS, race::next));
    }
  }

  private void add(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    interrupter.add(thread);
    threads.add(thread);
  }

  void start() {
    threads.forEach(Thread::start);
  }

  /** Begins to interrupt the threads, and answers how many interrupts there were. */
  void interrupt(Duration length, long seed) {
    background(
        "interrupter",
        () -> {
          int count = crowd.interrupt(length, new Random(seed), over);
          answers.accept(Order.INTERRUPT + " " + count);
        });
  }

  /** Begins to send emails with texts that are too long, and answers how many. */
  void poison(int choice) {
    background("poisoner", () -> answers.accept(Order.POISON + " " + poison.sendAll(choice)));
  }

  private void background(String name, Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            name);
    threads.add(thread);
    thread.start();
  }

  private void repeat(long seed, long pauseMillis, Asking asking) {
    Random random = new Random(seed);
    while (over.getCount() > 0) {
      if (!pause(random.nextLong(2 * pauseMillis + 1))) {
        attempt(random, asking);
      }
    }
  }

  /** Waits; an interrupt ends the wait and is over then, as the next call is not to be hit. */
  private boolean pause(long millis) {
    try {
      return over.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return false;
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

  private interface Task {
    void run() throws InterruptedException;
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
