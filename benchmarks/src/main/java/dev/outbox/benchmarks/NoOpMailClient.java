package dev.outbox.benchmarks;

/** Sends nothing. */
final class NoOpMailClient implements MailClient {

  @Override
  public void send() {}

  @Override
  public void close() {}
}
