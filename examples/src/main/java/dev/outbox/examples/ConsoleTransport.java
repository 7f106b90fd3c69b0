package dev.outbox.examples;

import dev.outbox.email.Bytes;
import dev.outbox.email.RecipientResult;
import dev.outbox.transport.DeliveryResult;
import dev.outbox.transport.Envelope;
import dev.outbox.transport.RenderedMessage;
import dev.outbox.transport.SendPermit;
import dev.outbox.transport.Transport;
import java.time.Duration;

/** A relay that prints what it is given, at its own pace. */
final class ConsoleTransport implements Transport {

  private final Duration pace;

  ConsoleTransport(Duration pace) {
    this.pace = pace;
  }

  @Override
  public Bytes compose(RenderedMessage message) {
    return Bytes.utf8(message.subject());
  }

  @Override
  public DeliveryResult deliver(Envelope envelope, Bytes message, SendPermit permit) {
    if (!permit.isValid()) {
      return new DeliveryResult.NotSent();
    }
    System.out.printf("to %s: %s%n", envelope.recipients().get(0).email(), message.toUtf8());
    pause();
    return new DeliveryResult.Answered(
        envelope.recipients().stream()
            .map(
                each ->
                    new RecipientResult(
                        each.email(), RecipientResult.Status.ACCEPTED, "250 printed"))
            .toList(),
        "250 printed");
  }

  private void pause() {
    try {
      Thread.sleep(pace.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public int availableCapacity(int wanted) {
    return wanted;
  }

  @Override
  public void close() {}
}
