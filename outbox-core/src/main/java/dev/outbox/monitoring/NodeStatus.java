package dev.outbox.monitoring;

/** What a node's processor is doing. */
public enum NodeStatus {
  /** It claims and sends. */
  RUNNING,
  /** It was told not to claim. */
  PAUSED,
  /** It waits for its store. */
  STORE_UNAVAILABLE,
  /** It was not started, or is closed. */
  STOPPED
}
