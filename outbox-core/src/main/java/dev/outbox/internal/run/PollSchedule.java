package dev.outbox.internal.run;

import dev.outbox.email.State;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A state to claim from, and when to look there again: at once while it gives something, after a
 * poll when it was empty, sooner when somebody hints. Used by one thread, except for the hint.
 */
final class PollSchedule {

  /** However many hints there are, an empty source is not looked at more often than this. */
  private static final long BREATH = 1_000_000;

  private final State from;
  private final AtomicBoolean hinted = new AtomicBoolean();
  private boolean looked;
  private boolean empty;
  private long lookedAt;
  private long wait;

  PollSchedule(State from) {
    this.from = from;
  }

  State from() {
    return from;
  }

  /** Says that there may be something. */
  void hint() {
    hinted.set(true);
  }

  /** Returns how long from now it is to be looked at; zero or less if now. */
  long dueIn(long now) {
    if (!looked || !empty) {
      return 0;
    }
    return lookedAt + (hinted.get() ? BREATH : wait) - now;
  }

  /** Has to be called before a look, so that a hint during the look counts for the next one. */
  void looking() {
    hinted.set(false);
  }

  /** Remembers what a look gave. */
  void looked(long now, boolean wasEmpty, long pollNanos) {
    looked = true;
    empty = wasEmpty;
    lookedAt = now;
    wait = pollNanos;
  }
}
