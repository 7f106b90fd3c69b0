package dev.outbox.internal.node;

import dev.outbox.email.EmailId;
import dev.outbox.internal.concurrent.WakeSignal;
import dev.outbox.store.Claim;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The emails this node holds and knows of, from claim until their result is recorded, each with the
 * token of its newest claim. Safe for many threads.
 */
public final class InFlightEmails {

  private final Map<EmailId, Long> mail = new ConcurrentHashMap<>();
  private final Map<EmailId, Long> callbacks = new ConcurrentHashMap<>();
  private final WakeSignal changed;

  /** Makes an empty one that signals whenever there is room again. */
  public InFlightEmails(WakeSignal changed) {
    this.changed = changed;
  }

  /** Adds the emails of new claims. */
  public void add(List<Claim> claims) {
    claims.forEach(
        claim -> (claim.state().hasOutcome() ? callbacks : mail).put(claim.id(), claim.token()));
  }

  /** Removes a claim; an email that this node has claimed again meanwhile stays. */
  public void remove(EmailId id, long token) {
    mail.remove(id, token);
    callbacks.remove(id, token);
  }

  /** Says that there is room again, after claims were removed. */
  public void signalRoom() {
    changed.raise();
  }

  /** Returns how many emails are in intake or delivery. */
  public int mail() {
    return mail.size();
  }

  /** Returns how many emails are in a callback. */
  public int callbacks() {
    return callbacks.size();
  }

  /** Returns how many emails this node holds. */
  public int size() {
    return mail.size() + callbacks.size();
  }

  /** Returns whether this node holds the email. */
  public boolean knows(EmailId id) {
    return mail.containsKey(id) || callbacks.containsKey(id);
  }
}
