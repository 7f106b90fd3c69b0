package dev.outbox.internal.run;

import dev.outbox.email.NodeId;
import dev.outbox.internal.node.InFlightEmails;
import dev.outbox.internal.node.StoreAvailability;
import dev.outbox.internal.record.CompletionRecorder;
import dev.outbox.internal.stage.Stages;
import dev.outbox.store.Claim;
import dev.outbox.store.ClaimRef;
import dev.outbox.store.Completion;
import dev.outbox.store.OutboxStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the emails that this node holds without knowing it, because the answer to a claim was lost,
 * and gives them back. Must not run while a claim is under way.
 */
final class LostClaimRecovery {

  private static final Logger log = LoggerFactory.getLogger(LostClaimRecovery.class);
  private static final int LIMIT = 10_000;

  private final OutboxStore store;
  private final NodeId node;
  private final InFlightEmails inFlight;
  private final CompletionRecorder recorder;
  private final StoreAvailability availability;
  private final AtomicLong lostClaims = new AtomicLong();
  private long reasonsSeen;

  LostClaimRecovery(
      OutboxStore store,
      NodeId node,
      InFlightEmails inFlight,
      CompletionRecorder recorder,
      StoreAvailability availability) {
    this.store = store;
    this.node = node;
    this.inFlight = inFlight;
    this.recorder = recorder;
    this.availability = availability;
  }

  /** Says that the answer to a claim may have been lost without an outage. */
  void expectLostClaim() {
    lostClaims.incrementAndGet();
  }

  /**
   * Releases what this node holds and does not work on, if there was an outage or a failed claim
   * since the last time, or if a result of taking in was refused: the store may have let the email
   * proceed without our hearing of it.
   */
  void runAfterOutage() {
    long reasons = availability.outageCount() + lostClaims.get() + recorder.lostCount();
    if (reasons == reasonsSeen) {
      return;
    }
    List<Completion> released =
        store.claimsOf(node, LIMIT).stream()
            .filter(held -> !inFlight.knows(held.id()))
            .flatMap(held -> release(held).stream())
            .toList();
    if (!released.isEmpty()) {
      log.warn("giving back {} emails that were claimed without an answer", released.size());
      recorder.record(released);
    }
    reasonsSeen = reasons;
  }

  private Optional<Completion> release(ClaimRef held) {
    return store
        .find(held.id())
        .filter(email -> node.equals(email.summary().owner()))
        .map(
            email ->
                new Claim(
                    held.token(), held.state(), email.summary(), email.content(), Duration.ZERO))
        .map(claim -> Stages.released(claim, "the answer to its claim was lost"));
  }
}
