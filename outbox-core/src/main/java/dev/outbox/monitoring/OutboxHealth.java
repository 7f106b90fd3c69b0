package dev.outbox.monitoring;

import dev.outbox.email.State;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What an outbox knows about its own health without a call of the store. Immutable: each value is
 * the one at the time of the question.
 *
 * <p>A node that sends is down at the latest 3 s after its store became unreachable, with the
 * default heartbeat interval of 2 s; otherwise one second after the next heartbeat was due. An
 * outbox without a transport, or one that was not started, or was closed, only stores emails: it
 * knows nothing about the store and is up.
 */
public interface OutboxHealth {

  /**
   * Returns whether the node can do its work: its store answers, none of its threads has ended, and
   * it can claim emails. A node that an operator has paused is up.
   */
  boolean isUp();

  /** Returns what the node's processor is doing. */
  NodeStatus nodeStatus();

  /** Returns whether an operator has paused the node. */
  boolean isPaused();

  /**
   * Returns how long ago the store has last answered a heartbeat; empty if it has not, or if the
   * node sends no heartbeats.
   */
  Optional<Duration> lastHeartbeat();

  /** Returns for how long the store has been unreachable; empty if it is not known to be. */
  Optional<Duration> unreachableFor();

  /** Returns how many results of emails wait because the store could not record them. */
  int unrecordedResults();

  /** Returns the names of the node's threads that have ended though the node runs. */
  List<String> endedThreads();

  /**
   * Returns the states from which the node cannot claim emails though the store answers: at least
   * three claims in a row have failed, over at least 30 s. The log has the reason. Empty while the
   * node is paused.
   */
  Set<State> failingClaims();

  /**
   * Returns for how long the longest-waiting email is overdue, as of the last time that the node
   * counted, about every ten seconds; empty if it has not.
   */
  Optional<Duration> backlog();
}
