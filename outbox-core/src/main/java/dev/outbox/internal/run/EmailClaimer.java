package dev.outbox.internal.run;

import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.internal.event.GuardedMetrics;
import dev.outbox.internal.logging.ErrorSummary;
import dev.outbox.internal.node.ClaimFailureCounter;
import dev.outbox.internal.node.InFlightEmails;
import dev.outbox.internal.node.StoreAvailability;
import dev.outbox.settings.ProcessingSettings;
import dev.outbox.store.Claim;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.PriorityLane;
import dev.outbox.store.StoreException;
import dev.outbox.transport.Transport;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims emails for a node: as many as there is room for and the transport grants, and suspects one
 * at a time. Used by one thread at a time.
 */
final class EmailClaimer {

  private static final Logger log = LoggerFactory.getLogger(EmailClaimer.class);

  /** The states that the callback stage claims from, in this order. */
  static final List<State> CALLBACKS =
      List.of(
          State.SENT,
          State.FAILED,
          State.INVALID,
          State.CALLING_SENT_CALLBACK,
          State.CALLING_FAILED_CALLBACK,
          State.CALLING_INVALID_CALLBACK);

  private final OutboxStore store;
  private final NodeId node;
  private final Transport transport;
  private final ProcessingSettings settings;
  private final InFlightEmails inFlight;
  private final StoreAvailability availability;
  private final GuardedMetrics metrics;
  private final Runnable answerLost;
  private final ClaimFailureCounter failures;
  private volatile boolean stopped;

  /**
   * One for each state: with one for all, states that take turns would always get the same lanes.
   */
  private final Map<State, PriorityLaneShares> shares = new EnumMap<>(State.class);

  EmailClaimer(
      OutboxStore store,
      NodeId node,
      Transport transport,
      ProcessingSettings settings,
      InFlightEmails inFlight,
      StoreAvailability availability,
      GuardedMetrics metrics,
      Runnable answerLost,
      LongSupplier nanos) {
    this.store = store;
    this.node = node;
    this.transport = transport;
    this.settings = settings;
    this.inFlight = inFlight;
    this.availability = availability;
    this.metrics = metrics;
    this.answerLost = answerLost;
    this.failures = new ClaimFailureCounter(nanos);
  }

  /** Claims nothing from now on. Safe for any thread. */
  void stop() {
    stopped = true;
  }

  /** Claims emails to be sent, no more than the transport grants. */
  List<Claim> mail(State from, int room) {
    int granted = granted(Math.min(room, settings.claimBatchSize()));
    return granted <= 0 ? List.of() : claim(from, sharesOf(from, granted));
  }

  /** Claims emails whose host is to be told. */
  List<Claim> callbacks(State from, int room) {
    return room <= 0
        ? List.of()
        : claim(from, sharesOf(from, Math.min(room, settings.claimBatchSize())));
  }

  /**
   * Claims one email whose workers have died; one that is to be sent, if the transport grants it.
   */
  List<Claim> suspect(State from) {
    boolean allowed = from.hasOutcome() || granted(1) > 0;
    return allowed ? claim(from, PriorityLaneShares.ofSuspects()) : List.of();
  }

  private Map<PriorityLane, Integer> sharesOf(State from, int emails) {
    return shares.computeIfAbsent(from, state -> new PriorityLaneShares()).of(emails);
  }

  private int granted(int wanted) {
    try {
      return Math.min(wanted, transport.availableCapacity(wanted));
    } catch (Throwable e) {
      log.error("the transport failed when asked for a grant: {}", ErrorSummary.describe(e));
      return 0;
    }
  }

  private List<Claim> claim(State from, Map<PriorityLane, Integer> lanes) {
    if (stopped || availability.isUnavailable()) {
      return List.of();
    }
    try {
      List<Claim> claims =
          store.claim(new ClaimRequest(node, from, lanes, settings.claimBatchBytes()));
      inFlight.add(claims);
      if (!claims.isEmpty()) {
        metrics.report(metrics -> metrics.claimed(from, claims.size()));
      }
      failures.succeeded(from, lanes.keySet());
      return claims;
    } catch (StoreException e) {
      failed(from, lanes.keySet(), e);
    } catch (Throwable e) {
      availability.markUnavailable(e);
    }
    return List.of();
  }

  private void failed(State from, Set<PriorityLane> lanes, StoreException e) {
    if (isOutage(e)) {
      availability.markUnavailable(e);
      return;
    }
    // The claim may have been committed: what it took has to be found and released.
    answerLost.run();
    if (e.reason() != StoreException.Reason.INTERRUPTED && failures.failed(from, lanes)) {
      log.error(
          "claiming from {} failed, other emails go on: {} ({})", from, e.getMessage(), e.reason());
    } else {
      log.debug("claiming from {} failed again: {}", from, e.reason());
    }
  }

  /** Returns the states from which claims have failed for long. Safe for any thread. */
  Set<State> failing() {
    return failures.lasting();
  }

  /** Returns whether a failed call shows that every call would fail. */
  static boolean isOutage(StoreException e) {
    return e.reason() == StoreException.Reason.UNAVAILABLE
        || e.reason() == StoreException.Reason.MISCONFIGURED;
  }
}
