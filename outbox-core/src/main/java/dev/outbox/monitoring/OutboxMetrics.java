package dev.outbox.monitoring;

import dev.outbox.email.State;
import java.time.Duration;

/**
 * Where the outbox reports its figures; a host bridges it to Micrometer or whatever it has. Called
 * by the outbox's own threads: it has to be quick, safe for several threads, and must not throw
 * (what it throws is logged and forgotten).
 */
public interface OutboxMetrics {

  /** Reports nothing anywhere. The default. */
  OutboxMetrics NONE =
      new OutboxMetrics() {
        @Override
        public void backlog(State state, int emails, Duration overdue) {}

        @Override
        public void claimed(State from, int emails) {}

        @Override
        public void claimsLost(int emails) {}

        @Override
        public void reaped(int emails) {}

        @Override
        public void possibleDuplicate() {}

        @Override
        public void recorded(State from, State to) {}

        @Override
        public void worked(State busy, Duration time) {}
      };

  /**
   * How many emails are in a state, for each state, about every ten seconds.
   *
   * @param state the state
   * @param emails how many; 10,000 stands for that many or more
   * @param overdue how long the longest-waiting could have been claimed already
   */
  void backlog(State state, int emails, Duration overdue);

  /** So many emails were claimed from a state. */
  void claimed(State from, int emails);

  /** So many emails were found to be in other hands when their result was recorded. */
  void claimsLost(int emails);

  /** So many emails were taken from dead nodes. */
  void reaped(int emails);

  /** A relay took an email that this node no longer held. */
  void possibleDuplicate();

  /** The result of one email was recorded. */
  void recorded(State from, State to);

  /** One email was worked on in a busy state for so long. */
  void worked(State busy, Duration time);
}
