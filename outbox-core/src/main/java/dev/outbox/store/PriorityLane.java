package dev.outbox.store;

import dev.outbox.email.Priority;

/** A queue of its own within a state, so that mail of one kind cannot starve another. */
public enum PriorityLane {
  /** Emails of high priority. */
  HIGH,
  /** Emails of normal priority. */
  NORMAL,
  /** Emails in quantity. */
  BULK,
  /** Emails whose workers have died; each is claimed alone, to find the one that kills. */
  SUSPECT;

  /** Returns the lane in which emails of a priority start. */
  public static PriorityLane of(Priority priority) {
    return switch (priority) {
      case HIGH -> HIGH;
      case NORMAL -> NORMAL;
      case BULK -> BULK;
    };
  }
}
