package dev.outbox.internal.stage;

import dev.outbox.email.EmailId;
import dev.outbox.internal.event.GuardedMetrics;
import dev.outbox.internal.logging.ErrorSummary;
import dev.outbox.internal.node.InFlightEmails;
import dev.outbox.internal.node.StoreAvailability;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.StoreException;
import dev.outbox.store.StoreException.Reason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The step from intake to delivery, committed in the store before the first byte is sent. An email
 * that the store rejects does not stop the others of its group. Safe for many threads.
 */
final class DeliveryStart {

  private static final Logger log = LoggerFactory.getLogger(DeliveryStart.class);

  private final OutboxStore store;
  private final IntakeStage intake;
  private final StoreAvailability availability;
  private final InFlightEmails inFlight;
  private final GuardedMetrics metrics;

  /** The last email that failed alone; null if another one has proceeded since. */
  private volatile @Nullable EmailId lastFailed;

  DeliveryStart(
      OutboxStore store,
      IntakeStage intake,
      StoreAvailability availability,
      InFlightEmails inFlight,
      GuardedMetrics metrics) {
    this.store = store;
    this.intake = intake;
    this.availability = availability;
    this.inFlight = inFlight;
    this.metrics = metrics;
  }

  /**
   * Moves rendered emails on, all in one step if the store takes them.
   *
   * @return those that this node may deliver; what becomes of the others goes to the results
   */
  List<PreparedEmail> proceed(List<PreparedEmail> group, Consumer<Completion> results) {
    List<PreparedEmail> standing = new ArrayList<>();
    List<PreparedEmail> failed = new ArrayList<>();
    Deque<List<PreparedEmail>> parts = new ArrayDeque<>();
    parts.add(group);
    while (!parts.isEmpty()) {
      List<PreparedEmail> part = parts.removeFirst();
      try {
        standing.addAll(together(part));
      } catch (Throwable e) {
        boolean alone = part.size() == 1;
        if (!StoreAvailability.mayBeCausedByAnEmail(e) || (alone && isGeneral(e, part.get(0)))) {
          failed.addAll(part);
          parts.forEach(failed::addAll);
          stop(e, failed, results);
          return standing;
        }
        if (alone) {
          failed.add(part.get(0));
          ErrorSummary.logSafely(
              () ->
                  log.error(
                      "{}: the store rejects its step to delivery; it is tried again later: {}",
                      part.get(0).claim().id(),
                      ErrorSummary.describe(e)));
        } else {
          parts.addFirst(part.subList(part.size() / 2, part.size()));
          parts.addFirst(part.subList(0, part.size() / 2));
        }
      }
    }
    failed.forEach(each -> results.accept(intake.unproceedable(each.claim())));
    return standing;
  }

  private List<PreparedEmail> together(List<PreparedEmail> part) {
    if (part.isEmpty()) {
      return List.of();
    }
    Map<EmailId, PreparedEmail> lost = new HashMap<>();
    part.forEach(each -> lost.put(each.claim().id(), each));
    List<PreparedEmail> standing = new ArrayList<>();
    for (Claim claim : store.beginDelivery(part.stream().map(PreparedEmail::claim).toList())) {
      standing.add(Objects.requireNonNull(lost.remove(claim.id())).under(claim));
    }
    lastFailed = null;
    if (!lost.isEmpty()) {
      lost.values().forEach(each -> inFlight.remove(each.claim().id(), each.claim().token()));
      inFlight.signalRoom();
      metrics.report(metrics -> metrics.claimsLost(lost.size()));
    }
    return standing;
  }

  /**
   * Decides whether an error that the store has not explained concerns every email: two different
   * emails failed alone, and none has proceeded in between.
   */
  private boolean isGeneral(Throwable e, PreparedEmail email) {
    if (e instanceof StoreException failure && failure.reason() == Reason.REJECTED_DATA) {
      return false;
    }
    EmailId before = lastFailed;
    lastFailed = email.claim().id();
    return before != null && !before.equals(email.claim().id());
  }

  private void stop(Throwable e, List<PreparedEmail> failed, Consumer<Completion> results) {
    boolean interrupted =
        e instanceof StoreException failure && failure.reason() == Reason.INTERRUPTED;
    if (!interrupted) {
      availability.markUnavailable(e);
    }
    String reason = interrupted ? "its step to delivery was interrupted" : Stages.UNREACHABLE;
    failed.forEach(each -> results.accept(Stages.released(each.claim(), reason)));
  }
}
