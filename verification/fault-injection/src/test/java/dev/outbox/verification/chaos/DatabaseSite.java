package dev.outbox.verification.chaos;

import java.time.Duration;

/** A database as the director has it: to be killed, spoilt and read without the library. */
interface DatabaseSite extends AutoCloseable {

  /** Returns the port of its server; zero if it is inside its one node. */
  int port();

  /** Returns where a node finds it behind a port. */
  String url(int port);

  /** Ends its server as {@code kill -9} does. */
  void kill();

  /** Starts its server again, and waits until it answers. */
  void restart();

  /** Locks tables for a while. */
  void lock(Duration length);

  /**
   * Stores an email and makes its row unreadable before anybody has looked at it.
   *
   * @return the email
   */
  String poison(Line line, int choice);

  /** Counts emails that are not at their end yet. */
  long pending(Line line);

  Tables read(Line line);

  @Override
  void close();
}
