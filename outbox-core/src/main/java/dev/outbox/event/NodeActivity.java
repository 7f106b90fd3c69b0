package dev.outbox.event;

/** What a node's processor is doing. */
public enum NodeActivity {
  /** It claims and sends. */
  RUNNING,
  /** It was told not to claim. */
  PAUSED,
  /** It waits for its store. */
  STORE_OUT_OF_REACH,
  /** It was not started, or is closed. */
  STOPPED
}
