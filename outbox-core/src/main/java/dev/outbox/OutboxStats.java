package dev.outbox;

import dev.outbox.email.State;
import dev.outbox.monitoring.NodeStatus;
import dev.outbox.store.StateCount;
import java.util.Map;

/**
 * What waits in the store, and what this node is doing.
 *
 * @param states how many emails are in each state, and for how long; states without any are missing
 * @param status what this node's processor is doing
 * @param inFlight how many emails this node holds
 * @param sent how many emails this node has sent since it started
 * @param failed how many emails this node has seen fail or found invalid since it started
 * @param abandoned how many callbacks this node has given up since it started; those of all nodes
 *     and times are found by a query for the states {@code CALLING-…}, as {@code docs/callbacks.md}
 *     shows
 */
public record OutboxStats(
    Map<State, StateCount> states,
    NodeStatus status,
    int inFlight,
    long sent,
    long failed,
    long abandoned) {

  /** Copies the map. */
  public OutboxStats {
    states = Map.copyOf(states);
  }
}
