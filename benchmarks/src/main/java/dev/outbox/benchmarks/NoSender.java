package dev.outbox.benchmarks;

/** Sends nothing. */
final class NoSender implements Sender {

  @Override
  public void send() {}

  @Override
  public void close() {}
}
