package dev.outbox.benchmarks;

import java.io.IOException;

/** One of those compared, on one connection of its own. Used by one thread. */
interface MailClient extends AutoCloseable {

  /** Sends one email and waits until it is accepted. */
  void send() throws IOException;

  @Override
  void close() throws IOException;

  /** Makes one sender for each connection. */
  interface Factory {
    MailClient open() throws IOException;
  }
}
