package dev.outbox.internal;

import dev.outbox.store.UnknownOutcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A node's threads, from start to close: one beats, one claims, one records, one keeps house, and a
 * crew does the work.
 */
final class Processor {

  private static final Duration SOCKET_PATIENCE = Duration.ofSeconds(5);
  private static final Duration THREAD_PATIENCE = Duration.ofSeconds(10);
  private static final Duration HOUSE_INTERVAL = Duration.ofSeconds(1);
  private static final Duration LINGER = Duration.ofMillis(20);

  private final Machinery parts;
  private final Claimer claimer;
  private final Crew crew;
  private final GroupWriter writer;
  private final Loop heart;
  private final Loop house;
  private final Thread claimerThread;
  private final Thread writerThread;
  private final Thread heartThread;
  private final Thread houseThread;
  private final AtomicInteger workers = new AtomicInteger();
  private long lastBeat;

  Processor(Machinery parts) {
    this.parts = parts;
    UnknownOutcome policy = parts.wiring.reaping().unknownOutcome();
    this.writer =
        new GroupWriter(
            parts.ledger, parts.inFlight, policy == UnknownOutcome.HOLD ? Duration.ZERO : LINGER);
    this.crew =
        new Crew(
            parts.workshop,
            writer::add,
            parts.jobs,
            parts.unrecorded,
            parts.outage,
            parts.wiring.processor(),
            policy,
            work -> thread(parts, "worker-" + workers.incrementAndGet(), work));
    this.claimer = new Claimer(parts, crew);
    this.heart = new Loop(this::beat, parts.wiring.lease().beat());
    this.house = new Loop(this::keepHouse, HOUSE_INTERVAL);
    this.claimerThread = thread(parts, "claimer", claimer);
    this.writerThread = thread(parts, "writer", writer);
    this.heartThread = thread(parts, "heart", heart);
    this.houseThread = thread(parts, "house", house);
    this.lastBeat = parts.nanos.getAsLong();
    parts.ledger.onCallbackDue(claimer::hintCallbacks);
  }

  static Thread thread(Machinery parts, String job, Runnable work) {
    return new Thread(work, "outbox-" + parts.wiring.nodeName() + "-" + job);
  }

  void start() {
    heartThread.start();
    writerThread.start();
    claimerThread.start();
    houseThread.start();
  }

  void wake() {
    claimer.hintMail();
  }

  void setPaused(boolean paused) {
    claimer.setPaused(paused);
  }

  boolean isPaused() {
    return claimer.isPaused();
  }

  private void beat() {
    long now = parts.nanos.getAsLong();
    if (now - lastBeat > parts.wiring.lease().length().toNanos() / 2) {
      // This process was frozen itself: what it saw before says nothing about the others.
      parts.pulse.blind();
    }
    lastBeat = now;
    boolean wasOut = parts.outage.isOn() || !parts.lease.stands();
    parts.pulse.beat();
    if (wasOut && !parts.outage.isOn()) {
      claimer.hintMail();
    }
  }

  private void keepHouse() {
    parts.maintenance.run(house::isStopping);
  }

  /**
   * Stops claiming, gives back what has not been started, lets what is on the wire end within the
   * grace time, then closes the connections, and records the rest as what it is; a store that is
   * out of reach gets the grace time too, while the heart beats.
   */
  void close() {
    claimer.stop();
    Threads.join(claimerThread, THREAD_PATIENCE);
    crew.close();
    boolean ended = crew.await(parts.wiring.processor().closeGrace());
    parts.transport.close();
    if (!ended && !crew.await(SOCKET_PATIENCE)) {
      crew.abort();
    }
    writer.stop();
    Threads.join(writerThread, THREAD_PATIENCE);
    house.stop();
    Threads.join(houseThread, THREAD_PATIENCE);
    boolean settled = parts.ledger.settleWithin(parts.wiring.processor().closeGrace());
    heart.stop();
    Threads.join(heartThread, THREAD_PATIENCE);
    parts.leave(settled);
  }

  /** Returns the names of the threads that have ended. */
  List<String> endedThreads() {
    return Stream.of(heartThread, writerThread, claimerThread, houseThread)
        .filter(thread -> thread.getState() == Thread.State.TERMINATED)
        .map(Thread::getName)
        .toList();
  }
}
