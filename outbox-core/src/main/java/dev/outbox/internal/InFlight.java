package dev.outbox.internal;

import dev.outbox.email.EmailId;
import dev.outbox.store.Claim;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The emails this node holds and knows of, from claim until their result is recorded, each with the
 * token of its newest claim. Safe for many threads.
 */
final class InFlight {

  private final Map<EmailId, Long> mail = new ConcurrentHashMap<>();
  private final Map<EmailId, Long> callbacks = new ConcurrentHashMap<>();
  private final Signal changed;

  /** Makes an empty one that signals whenever there is room again. */
  InFlight(Signal changed) {
    this.changed = changed;
  }

  void add(List<Claim> claims) {
    claims.forEach(
        claim -> (claim.state().isSettled() ? callbacks : mail).put(claim.id(), claim.token()));
  }

  /** Removes a claim; an email that this node has claimed again meanwhile stays. */
  void remove(EmailId id, long token) {
    mail.remove(id, token);
    callbacks.remove(id, token);
  }

  /** Says that there is room again, after claims were removed. */
  void signalRoom() {
    changed.raise();
  }

  int mail() {
    return mail.size();
  }

  int callbacks() {
    return callbacks.size();
  }

  int size() {
    return mail.size() + callbacks.size();
  }

  boolean knows(EmailId id) {
    return mail.containsKey(id) || callbacks.containsKey(id);
  }
}
