package dev.outbox.internal.run;

import dev.outbox.email.State;
import dev.outbox.internal.node.NodeLease;
import dev.outbox.internal.node.StoreAvailability;
import dev.outbox.internal.record.CompletionRecorder;
import dev.outbox.internal.stage.IntakeStage;
import dev.outbox.internal.stage.PreparedEmail;
import dev.outbox.internal.stage.Stages;
import dev.outbox.settings.ProcessingSettings;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import java.util.ArrayList;
import java.util.List;

/**
 * All that is due, done on the caller's thread: for tests, and for hosts that have a scheduler of
 * their own. Used by one thread at a time.
 */
public final class SingleThreadedRun {

  private final Heartbeat heartbeat;
  private final NodeLease lease;
  private final LostClaimRecovery recovery;
  private final EmailClaimer claims;
  private final Stages stages;
  private final CompletionRecorder recorder;
  private final StoreAvailability availability;
  private final Maintenance maintenance;
  private final boolean calls;
  private final ProcessingSettings settings;
  private volatile boolean stopping;

  SingleThreadedRun(
      Heartbeat heartbeat,
      NodeLease lease,
      LostClaimRecovery recovery,
      EmailClaimer claims,
      Stages stages,
      CompletionRecorder recorder,
      StoreAvailability availability,
      Maintenance maintenance,
      boolean calls,
      ProcessingSettings settings) {
    this.heartbeat = heartbeat;
    this.lease = lease;
    this.recovery = recovery;
    this.claims = claims;
    this.stages = stages;
    this.recorder = recorder;
    this.availability = availability;
    this.maintenance = maintenance;
    this.calls = calls;
    this.settings = settings;
  }

  /** Works until nothing is due any more; returns how many claims that took. */
  public int run() {
    heartbeat.beat();
    if (availability.isUnavailable() || !recovered()) {
      return 0;
    }
    int handled = 0;
    for (int round = round(); round > 0; round = recorder.hasUnwrittenCompletions() ? 0 : round()) {
      handled += round;
      if (!lease.isValid()) {
        heartbeat.beat();
      }
    }
    maintenance.run(() -> false);
    return handled;
  }

  private boolean recovered() {
    try {
      recovery.runAfterOutage();
      return true;
    } catch (Throwable e) {
      availability.markUnavailable(e);
      return false;
    }
  }

  private int round() {
    int handled = mail(State.ACCEPTED) + mail(State.READY);
    if (calls) {
      for (State from : EmailClaimer.CALLBACKS) {
        handled += call(claims.callbacks(from, settings.claimBatchSize()));
        handled += call(claims.suspect(from));
      }
    }
    return handled;
  }

  private int mail(State from) {
    long claimedAt = stages.now();
    List<Claim> ordinary = claims.mail(from, settings.claimBatchSize());
    work(ordinary, claimedAt);
    long suspectAt = stages.now();
    List<Claim> suspect = claims.suspect(from);
    work(suspect, suspectAt);
    return ordinary.size() + suspect.size();
  }

  private void work(List<Claim> claimed, long claimedAt) {
    List<Completion> results = new ArrayList<>();
    List<PreparedEmail> rendered = new ArrayList<>();
    List<PreparedEmail> sendable = new ArrayList<>();
    for (Claim claim : claimed) {
      if (claim.state() == State.PROCESSING) {
        sendable.add(stages.reopen(claim, claimedAt));
        continue;
      }
      keepLease();
      IntakeStage.Result taken = stages.takeIn(claim, claimedAt);
      if (taken instanceof IntakeStage.Result.Prepared ready) {
        rendered.add(ready.prepared());
      } else if (taken instanceof IntakeStage.Result.Done settled) {
        results.add(settled.completion());
      }
    }
    sendable.addAll(stages.proceed(rendered, results::add));
    recorder.record(results);
    for (PreparedEmail email : sendable) {
      keepLease();
      recorder.record(List.of(stopping ? released(email.claim()) : deliver(email)));
    }
  }

  /** Delivers an email, unless the result of the delivery before is not recorded yet. */
  private Completion deliver(PreparedEmail email) {
    return recorder.hasUnwrittenCompletions()
        ? Stages.released(email.claim(), "a result before it could not be recorded")
        : stages.deliver(email);
  }

  private int call(List<Claim> claimed) {
    for (Claim claim : claimed) {
      keepLease();
      recorder.record(List.of(stopping ? released(claim) : stages.call(claim)));
    }
    return claimed.size();
  }

  /** Beats in time, as a heart of its own would: a long pass must not lose what it holds. */
  private void keepLease() {
    if (lease.isAging()) {
      heartbeat.beat();
    }
  }

  /** Starts no further delivery or callback; what is claimed is released. Safe for any thread. */
  public void stop() {
    stopping = true;
    claims.stop();
  }

  private static Completion released(Claim claim) {
    return Stages.released(claim, "the node is closing");
  }
}
