package dev.outbox.examples;

import dev.outbox.email.Bytes;
import dev.outbox.email.RecipientResult;
import dev.outbox.transport.DeliveryResult;
import dev.outbox.transport.Envelope;
import dev.outbox.transport.Message;
import dev.outbox.transport.SendPermit;
import dev.outbox.transport.Transport;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A relay that prints what it is given. */
final class ConsoleTransport implements Transport {

  private final CountDownLatch expected;

  /** Makes one that can wait for a number of emails. */
  ConsoleTransport(int expected) {
    this.expected = new CountDownLatch(expected);
  }

  void await() throws InterruptedException {
    if (!expected.await(10, TimeUnit.SECONDS)) {
      throw new IllegalStateException("not everything was sent");
    }
  }

  @Override
  public Bytes compose(Message message) {
    return Bytes.utf8("Subject: %s%n%n%s".formatted(message.subject(), message.text()));
  }

  @Override
  public DeliveryResult deliver(Envelope envelope, Bytes message, SendPermit permit) {
    if (!permit.stands()) {
      return new DeliveryResult.Withheld();
    }
    System.out.printf("--- to %s%n%s%n", envelope.recipients().get(0).email(), message.toUtf8());
    expected.countDown();
    return new DeliveryResult.Answered(
        envelope.recipients().stream()
            .map(
                each ->
                    new RecipientResult(
                        each.email(), RecipientResult.Status.ACCEPTED, "250 printed"))
            .toList(),
        "250 printed");
  }

  @Override
  public int grants(int wanted) {
    return wanted;
  }

  @Override
  public void close() {}
}
