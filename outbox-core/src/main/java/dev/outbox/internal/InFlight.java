package dev.outbox.internal;

import dev.outbox.email.EmailId;
import dev.outbox.store.Claim;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The emails this node holds and knows of, from claim until their result is recorded. Safe for many
 * threads.
 */
final class InFlight {

  private final Set<EmailId> mail = ConcurrentHashMap.newKeySet();
  private final Set<EmailId> callbacks = ConcurrentHashMap.newKeySet();
  private final Signal changed;

  /** Makes an empty one that signals whenever there is room again. */
  InFlight(Signal changed) {
    this.changed = changed;
  }

  void add(List<Claim> claims) {
    claims.forEach(claim -> (claim.state().isSettled() ? callbacks : mail).add(claim.id()));
  }

  void remove(Collection<EmailId> ids) {
    ids.forEach(mail::remove);
    ids.forEach(callbacks::remove);
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
    return mail.contains(id) || callbacks.contains(id);
  }
}
