package dev.outbox.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;

/** What peers do for each email: angus over a connection that each thread keeps, or nothing. */
public class PeerTask {

  private final ThreadLocal<MailClient> senders;

  PeerTask(MailClient.Factory factory) {
    this.senders =
        ThreadLocal.withInitial(
            () -> {
              try {
                return factory.open();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
  }

  /** For the proxies that transaction-outbox makes of this class. */
  protected PeerTask() {
    this(NoOpMailClient::new);
  }

  /** Sends the email. Its payload is as large as ours and already rendered. */
  public void run(String payload) {
    try {
      senders.get().send();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
