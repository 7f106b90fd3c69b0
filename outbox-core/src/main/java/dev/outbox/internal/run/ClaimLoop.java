package dev.outbox.internal.run;

import dev.outbox.email.State;
import dev.outbox.internal.concurrent.WakeSignal;
import dev.outbox.internal.logging.ErrorSummary;
import dev.outbox.internal.node.InFlightEmails;
import dev.outbox.internal.node.NodeLease;
import dev.outbox.internal.node.StoreAvailability;
import dev.outbox.settings.ProcessingSettings;
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
final class ClaimLoop implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(ClaimLoop.class);
  private static final long SUSPECTS_EVERY = Duration.ofSeconds(10).toNanos();
  private static final long SUSPECTS_PATIENCE = Duration.ofSeconds(2).toNanos();

  /** How long other emails are claimed between two suspects, at least. */
  private static final long OTHERS_AT_LEAST = Duration.ofSeconds(1).toNanos();

  /** How much of the time others get while there are suspects: four times what a suspect takes. */
  private static final int OTHERS_SHARE = 4;

  private final EmailClaimer claims;
  private final InFlightEmails inFlight;
  private final StoreAvailability availability;
  private final NodeLease lease;
  private final LostClaimRecovery recovery;
  private final ProcessingSettings settings;
  private final LongSupplier nanos;
  private final WakeSignal wakeSignal;
  private final Dispatcher dispatcher;
  private final PollSchedule accepted = new PollSchedule(State.ACCEPTED);
  private final PollSchedule ready = new PollSchedule(State.READY);
  private final List<PollSchedule> callbacks;

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

  ClaimLoop(NodeAssembly assembly, Dispatcher dispatcher) {
    this.claims = assembly.claims;
    this.inFlight = assembly.inFlight;
    this.availability = assembly.availability;
    this.lease = assembly.lease;
    this.recovery = assembly.recovery;
    this.settings = assembly.config.processing();
    this.nanos = assembly.nanos;
    this.wakeSignal = assembly.wakeSignal;
    this.dispatcher = dispatcher;
    this.callbacks =
        assembly.calls
            ? EmailClaimer.CALLBACKS.stream().map(PollSchedule::new).toList()
            : List.of();
    suspectStates.addAll(List.of(State.ACCEPTED, State.READY));
    callbacks.forEach(schedule -> suspectStates.add(schedule.from()));
    this.suspectServedAt = nanos.getAsLong();
  }

  /** Says that there may be new mail. */
  void hintMail() {
    accepted.hint();
    wakeSignal.raise();
  }

  /** Says that some host may have to be told. */
  void hintCallbacks() {
    callbacks.forEach(PollSchedule::hint);
    wakeSignal.raise();
  }

  void setPaused(boolean paused) {
    this.paused = paused;
    wakeSignal.raise();
  }

  boolean isPaused() {
    return paused;
  }

  void stop() {
    stopping = true;
    wakeSignal.raise();
  }

  @Override
  public void run() {
    while (!stopping) {
      try {
        long wait = safeRound();
        if (wait > 0 && !stopping) {
          wakeSignal.await(Duration.ofNanos(wait));
        }
      } catch (InterruptedException e) {
        // Only stop() ends this thread; an interrupt that was meant for a call is over with it.
        ErrorSummary.logSafely(() -> log.debug("the claimer was interrupted"));
      }
    }
  }

  private long safeRound() throws InterruptedException {
    try {
      return round();
    } catch (InterruptedException e) {
      throw e;
    } catch (StoreException e) {
      if (EmailClaimer.isOutage(e)) {
        availability.markUnavailable(e);
      } else {
        ErrorSummary.logSafely(
            () ->
                log.error(
                    "claiming failed, the thread continues: {} ({})", e.getMessage(), e.reason()));
      }
    } catch (Throwable e) {
      ErrorSummary.logSafely(
          () -> log.error("claiming failed, the thread continues: {}", ErrorSummary.describe(e)));
    }
    return settings.pollInterval().toNanos();
  }

  /** Claims what there is room for; returns how long to wait then, unless somebody signals. */
  private long round() throws InterruptedException {
    long poll = jittered(settings.pollInterval().toNanos());
    if (paused || availability.isUnavailable() || !lease.isValid()) {
      return poll;
    }
    recovery.runAfterOutage();
    if (suspectDueIn() <= 0) {
      serveNextSuspect();
    }
    return Math.min(Math.min(claimMail(poll), claimCallbacks(poll)), suspectDueIn());
  }

  private long claimMail(long poll) {
    int room = settings.maxInFlight() - inFlight.mail();
    // Small claims cost as much as large ones: wait for a fair amount of room.
    if (room < Math.max(1, Math.min(settings.claimBatchSize(), settings.maxInFlight()) / 2)) {
      return poll;
    }
    newFirst = !newFirst;
    claimMail(newFirst ? accepted : ready, newFirst ? ready : accepted, room, poll);
    return nextLook(List.of(accepted, ready), poll);
  }

  /** Gives half the room to each if both may have something, so that neither starves. */
  private void claimMail(PollSchedule first, PollSchedule second, int room, long poll) {
    long now = nanos.getAsLong();
    boolean both = first.dueIn(now) <= 0 && second.dueIn(now) <= 0;
    int taken = claimMail(first, both ? (room + 1) / 2 : room, poll);
    claimMail(second, room - taken, poll);
  }

  private int claimMail(PollSchedule schedule, int room, long poll) {
    // What is claimed from READY is on the wire's edge at once, where there may be little room.
    int wanted = schedule == ready ? Math.min(room, dispatcher.wireRoom()) : room;
    if (wanted <= 0 || schedule.dueIn(nanos.getAsLong()) > 0) {
      return 0;
    }
    long before = nanos.getAsLong();
    List<Claim> claimed = claim(schedule, from -> claims.mail(from, wanted), poll);
    dispatcher.dispatch(claimed, before);
    return claimed.size();
  }

  private long claimCallbacks(long poll) {
    long now = nanos.getAsLong();
    for (PollSchedule schedule : callbacks) {
      int room = settings.callbackWorkers() * 4 - inFlight.callbacks();
      if (room <= 0) {
        return poll;
      }
      if (schedule.dueIn(now) <= 0) {
        dispatcher.dispatch(claim(schedule, s -> claims.callbacks(s, room), poll), now);
      }
    }
    return nextLook(callbacks, poll);
  }

  private List<Claim> claim(PollSchedule schedule, ClaimAttempt look, long poll) {
    schedule.looking();
    List<Claim> claimed = look.at(schedule.from());
    schedule.looked(nanos.getAsLong(), claimed.isEmpty(), poll);
    othersClaimed |= !claimed.isEmpty();
    return claimed;
  }

  private long nextLook(List<PollSchedule> sources, long poll) {
    long now = nanos.getAsLong();
    return sources.stream().mapToLong(schedule -> schedule.dueIn(now)).min().orElse(poll);
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
      dispatcher.dispatch(suspect, before);
    }
    return !suspect.isEmpty();
  }

  private void awaitInFlight(int emails) throws InterruptedException {
    long end = nanos.getAsLong() + SUSPECTS_PATIENCE;
    while (inFlight.size() > emails && !stopping && nanos.getAsLong() - end < 0) {
      wakeSignal.await(Duration.ofMillis(50));
    }
  }

  private static long jittered(long interval) {
    return interval - ThreadLocalRandom.current().nextLong(interval / 5 + 1);
  }

  private interface ClaimAttempt {
    List<Claim> at(State from);
  }
}
