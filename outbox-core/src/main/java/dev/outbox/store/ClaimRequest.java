package dev.outbox.store;

import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * How many emails a node wants, and from where.
 *
 * @param node who claims
 * @param from the state to claim from; it has a {@link State#claimedAs()}
 * @param shares how many from each lane; what one lane does not use goes to the others named, in
 *     the order of {@link PriorityLane}, and lanes not named are left alone
 * @param maxBytes how much payload and composed content at most, except that one email is always
 *     given
 */
public record ClaimRequest(
    NodeId node, State from, Map<PriorityLane, Integer> shares, long maxBytes) {

  /** Copies the shares and refuses a request that can get nothing. */
  public ClaimRequest {
    if (from.claimedAs().isEmpty()) {
      throw new IllegalArgumentException("from: nothing is claimed from " + from);
    }
    if (shares.values().stream().anyMatch(share -> share < 0)) {
      throw new IllegalArgumentException("shares: one below zero");
    }
    long wanted = shares.values().stream().mapToLong(Integer::longValue).sum();
    if (wanted < 1 || wanted > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("shares: want 1 or more in all, are " + wanted);
    }
    if (maxBytes <= 0) {
      throw new IllegalArgumentException("maxBytes: must be positive, is " + maxBytes);
    }
    shares = Collections.unmodifiableMap(new EnumMap<>(shares));
  }

  /** Returns the state in which the claimed emails are held. */
  public State busy() {
    return from.claimedAs().orElseThrow();
  }

  /** Returns how many emails are wanted in all. */
  public int limit() {
    return shares.values().stream().mapToInt(Integer::intValue).sum();
  }
}
