package dev.outbox.internal;

import dev.outbox.email.State;
import dev.outbox.settings.ProcessorSettings;
import dev.outbox.store.Claim;
import dev.outbox.store.StoreException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop that claims: whenever there is room and something may be due. New mail and mail that is
 * tried again take turns, so that neither starves the other. Whatever is thrown at it, it goes on.
 */
final class Claimer implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(Claimer.class);
  private static final long SUSPECTS_EVERY = Duration.ofSeconds(10).toNanos();
  private static final long SUSPECTS_PATIENCE = Duration.ofSeconds(2).toNanos();

  /** How long other emails are claimed between two suspects, at least. */
  private static final long OTHERS_AT_LEAST = Duration.ofSeconds(1).toNanos();

  /** How much of the time others get while there are suspects: four times what a suspect takes. */
  private static final int OTHERS_SHARE = 4;

  private final Claims claims;
  private final InFlight inFlight;
  private final Outage outage;
  private final Lease lease;
  private final Recovery recovery;
  private final ProcessorSettings settings;
  private final LongSupplier nanos;
  private final Signal signal;
  private final Crew crew;
  private final Source accepted = new Source(State.ACCEPTED);
  private final Source ready = new Source(State.READY);
  private final List<Source> callbacks;

  /** The states in which suspects are looked for, the next one first. */
  private final Deque<State> suspectStates = new ArrayDeque<>();

  private long suspectServedAt;
  private long suspectTook;

  /** Whether the last look found a suspect, so that there may be more. */
  private boolean suspectFound;

  /** Whether other emails were claimed since a suspect was served. */
  private boolean othersClaimed;

  private boolean newFirst;
  private volatile boolean paused;
  private volatile boolean stopping;

  Claimer(Machinery parts, Crew crew) {
    this.claims = parts.claims;
    this.inFlight = parts.inFlight;
    this.outage = parts.outage;
    this.lease = parts.lease;
    this.recovery = parts.recovery;
    this.settings = parts.wiring.processor();
    this.nanos = parts.nanos;
    this.signal = parts.signal;
    this.crew = crew;
    this.callbacks = parts.calls ? Claims.CALLBACKS.stream().map(Source::new).toList() : List.of();
    suspectStates.addAll(List.of(State.ACCEPTED, State.READY));
    callbacks.forEach(source -> suspectStates.add(source.from()));
    this.suspectServedAt = nanos.getAsLong();
  }

  /** Says that there may be new mail. */
  void hintMail() {
    accepted.hint();
    signal.raise();
  }

  /** Says that some host may have to be told. */
  void hintCallbacks() {
    callbacks.forEach(Source::hint);
    signal.raise();
  }

  void setPaused(boolean paused) {
    this.paused = paused;
    signal.raise();
  }

  boolean isPaused() {
    return paused;
  }

  void stop() {
    stopping = true;
    signal.raise();
  }

  @Override
  public void run() {
    while (!stopping) {
      try {
        long wait = safeRound();
        if (wait > 0 && !stopping) {
          signal.await(Duration.ofNanos(wait));
        }
      } catch (InterruptedException e) {
        // Only stop() ends this thread; an interrupt that was meant for a call is over with it.
        Failures.logSafely(() -> log.debug("the claimer was interrupted"));
      }
    }
  }

  private long safeRound() throws InterruptedException {
    try {
      return round();
    } catch (InterruptedException e) {
      throw e;
    } catch (StoreException e) {
      if (Claims.isOutage(e)) {
        outage.begin(e);
      } else {
        Failures.logSafely(
            () -> log.error("claiming failed, going on: {} ({})", e.getMessage(), e.reason()));
      }
    } catch (Throwable e) {
      Failures.logSafely(() -> log.error("claiming failed, going on: {}", Failures.describe(e)));
    }
    return settings.poll().toNanos();
  }

  /** Claims what there is room for; returns how long to wait then, unless somebody signals. */
  private long round() throws InterruptedException {
    long poll = jittered(settings.poll().toNanos());
    if (paused || outage.isOn() || !lease.stands()) {
      return poll;
    }
    recovery.runAfterOutage();
    if (suspectDueIn() <= 0) {
      serveNextSuspect();
    }
    return Math.min(Math.min(claimMail(poll), claimCallbacks(poll)), suspectDueIn());
  }

  private long claimMail(long poll) {
    int room = settings.inFlight() - inFlight.mail();
    // Small claims cost as much as large ones: wait for a fair amount of room.
    if (room < Math.max(1, Math.min(settings.claimSize(), settings.inFlight()) / 2)) {
      return poll;
    }
    newFirst = !newFirst;
    claimMail(newFirst ? accepted : ready, newFirst ? ready : accepted, room, poll);
    return nextLook(List.of(accepted, ready), poll);
  }

  /** Gives half the room to each if both may have something, so that neither starves. */
  private void claimMail(Source first, Source second, int room, long poll) {
    long now = nanos.getAsLong();
    boolean both = first.dueIn(now) <= 0 && second.dueIn(now) <= 0;
    int taken = claimMail(first, both ? (room + 1) / 2 : room, poll);
    claimMail(second, room - taken, poll);
  }

  private int claimMail(Source source, int room, long poll) {
    // What is claimed from READY is on the wire's edge at once, where there may be little room.
    int wanted = source == ready ? Math.min(room, crew.wireRoom()) : room;
    if (wanted <= 0 || source.dueIn(nanos.getAsLong()) > 0) {
      return 0;
    }
    long before = nanos.getAsLong();
    List<Claim> claimed = look(source, from -> claims.mail(from, wanted), poll);
    crew.dispatch(claimed, before);
    return claimed.size();
  }

  private long claimCallbacks(long poll) {
    long now = nanos.getAsLong();
    for (Source source : callbacks) {
      int room = settings.callbackWorkers() * 4 - inFlight.callbacks();
      if (room <= 0) {
        return poll;
      }
      if (source.dueIn(now) <= 0) {
        crew.dispatch(look(source, s -> claims.callbacks(s, room), poll), now);
      }
    }
    return nextLook(callbacks, poll);
  }

  private List<Claim> look(Source source, Look look, long poll) {
    source.looking();
    List<Claim> claimed = look.at(source.from());
    source.looked(nanos.getAsLong(), claimed.isEmpty(), poll);
    othersClaimed |= !claimed.isEmpty();
    return claimed;
  }

  private long nextLook(List<Source> sources, long poll) {
    long now = nanos.getAsLong();
    return sources.stream().mapToLong(source -> source.dueIn(now)).min().orElse(poll);
  }

  /**
   * Returns how long from now the next suspect may be served. While there are suspects and nothing
   * else, that is at once; other emails get most of the time.
   */
  private long suspectDueIn() {
    if (suspectFound && !othersClaimed) {
      return 0;
    }
    long wait =
        suspectFound ? Math.max(OTHERS_AT_LEAST, OTHERS_SHARE * suspectTook) : SUSPECTS_EVERY;
    return suspectServedAt + wait - nanos.getAsLong();
  }

  /**
   * Serves one email whose workers died, if there is one. The states take turns, so that many
   * suspects in one state do not keep those of others waiting.
   */
  private void serveNextSuspect() throws InterruptedException {
    long before = nanos.getAsLong();
    suspectFound = false;
    for (int i = 0; i < suspectStates.size() && !suspectFound && !stopping; i++) {
      State from = suspectStates.removeFirst();
      suspectStates.addLast(from);
      suspectFound = serveSuspect(from);
    }
    if (suspectFound) {
      othersClaimed = false;
      awaitInFlight(0);
    }
    suspectServedAt = nanos.getAsLong();
    suspectTook = suspectServedAt - before;
  }

  /**
   * Claims one suspect, and starts it when nothing else is in flight; returns false if there is
   * none.
   */
  private boolean serveSuspect(State from) throws InterruptedException {
    long before = nanos.getAsLong();
    List<Claim> suspect = claims.suspect(from);
    try {
      if (!suspect.isEmpty()) {
        awaitInFlight(suspect.size());
      }
    } finally {
      // Also while stopping: the crew then releases it.
      crew.dispatch(suspect, before);
    }
    return !suspect.isEmpty();
  }

  private void awaitInFlight(int emails) throws InterruptedException {
    long end = nanos.getAsLong() + SUSPECTS_PATIENCE;
    while (inFlight.size() > emails && !stopping && nanos.getAsLong() - end < 0) {
      signal.await(Duration.ofMillis(50));
    }
  }

  private static long jittered(long interval) {
    return interval - ThreadLocalRandom.current().nextLong(interval / 5 + 1);
  }

  private interface Look {
    List<Claim> at(State from);
  }
}
