package dev.outbox.internal;

import dev.outbox.email.State;
import dev.outbox.settings.ProcessorSettings;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import java.util.ArrayList;
import java.util.List;

/**
 * All that is due, done on the caller's thread: for tests, and for hosts that have a scheduler of
 * their own. Used by one thread at a time.
 */
final class Pass {

  private final Pulse pulse;
  private final Lease lease;
  private final Recovery recovery;
  private final Claims claims;
  private final Workshop workshop;
  private final Ledger ledger;
  private final Outage outage;
  private final Maintenance maintenance;
  private final boolean calls;
  private final ProcessorSettings settings;
  private volatile boolean stopping;

  Pass(
      Pulse pulse,
      Lease lease,
      Recovery recovery,
      Claims claims,
      Workshop workshop,
      Ledger ledger,
      Outage outage,
      Maintenance maintenance,
      boolean calls,
      ProcessorSettings settings) {
    this.pulse = pulse;
    this.lease = lease;
    this.recovery = recovery;
    this.claims = claims;
    this.workshop = workshop;
    this.ledger = ledger;
    this.outage = outage;
    this.maintenance = maintenance;
    this.calls = calls;
    this.settings = settings;
  }

  /** Works until nothing is due any more; returns how many claims that took. */
  int run() {
    pulse.beat();
    if (outage.isOn() || !recovered()) {
      return 0;
    }
    int handled = 0;
    for (int round = round(); round > 0; round = ledger.isBehind() ? 0 : round()) {
      handled += round;
      if (!lease.stands()) {
        pulse.beat();
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
      outage.begin(e);
      return false;
    }
  }

  private int round() {
    int handled = mail(State.ACCEPTED) + mail(State.READY);
    if (calls) {
      for (State from : Claims.CALLBACKS) {
        handled += call(claims.callbacks(from, settings.claimSize()));
        handled += call(claims.suspect(from));
      }
    }
    return handled;
  }

  private int mail(State from) {
    long claimedAt = workshop.now();
    List<Claim> ordinary = claims.mail(from, settings.claimSize());
    work(ordinary, claimedAt);
    long suspectAt = workshop.now();
    List<Claim> suspect = claims.suspect(from);
    work(suspect, suspectAt);
    return ordinary.size() + suspect.size();
  }

  private void work(List<Claim> claimed, long claimedAt) {
    List<Completion> results = new ArrayList<>();
    List<Prepared> rendered = new ArrayList<>();
    List<Prepared> sendable = new ArrayList<>();
    for (Claim claim : claimed) {
      if (claim.state() == State.PROCESSING) {
        sendable.add(workshop.reopen(claim, claimedAt));
        continue;
      }
      keepLease();
      Intake.Taken taken = workshop.takeIn(claim, claimedAt);
      if (taken instanceof Intake.Taken.Ready ready) {
        rendered.add(ready.prepared());
      } else if (taken instanceof Intake.Taken.Settled settled) {
        results.add(settled.completion());
      }
    }
    sendable.addAll(workshop.proceed(rendered, results::add));
    ledger.record(results);
    for (Prepared email : sendable) {
      keepLease();
      ledger.record(List.of(stopping ? released(email.claim()) : deliver(email)));
    }
  }

  /** Delivers an email, unless the result of the delivery before is not recorded yet. */
  private Completion deliver(Prepared email) {
    return ledger.isBehind()
        ? Workshop.released(email.claim(), "a result before it could not be recorded")
        : workshop.deliver(email);
  }

  private int call(List<Claim> claimed) {
    for (Claim claim : claimed) {
      keepLease();
      ledger.record(List.of(stopping ? released(claim) : workshop.call(claim)));
    }
    return claimed.size();
  }

  /** Beats in time, as a heart of its own would: a long pass must not lose what it holds. */
  private void keepLease() {
    if (lease.isAging()) {
      pulse.beat();
    }
  }

  /** Starts no further delivery or callback; what is claimed is released. Safe for any thread. */
  void stop() {
    stopping = true;
    claims.stop();
  }

  private static Completion released(Claim claim) {
    return Workshop.released(claim, "the node is closing");
  }
}
