package dev.outbox.mysql;

import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.RecipientResult;
import dev.outbox.transport.DeliveryResult;
import dev.outbox.transport.Envelope;
import dev.outbox.transport.RenderedMessage;
import dev.outbox.transport.SendPermit;
import dev.outbox.transport.Transport;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** A transport to a relay that takes everything, and its time for it. */
final class AcceptingTransport implements Transport {

  private final Duration pace;
  private final Consumer<EmailId> delivered;

  /**
   * Makes a transport.
   *
   * @param pace how long one delivery takes
   * @param delivered told of each delivery right when the relay has the email
   */
  AcceptingTransport(Duration pace, Consumer<EmailId> delivered) {
    this.pace = pace;
    this.delivered = delivered;
  }

  @Override
  public Bytes compose(RenderedMessage message) {
    return Bytes.utf8("Subject: " + message.subject());
  }

  @Override
  public DeliveryResult deliver(Envelope envelope, Bytes message, SendPermit permit) {
    if (!pace.isZero()) {
      LockSupport.parkNanos(pace.toNanos());
    }
    if (!permit.isValid()) {
      return new DeliveryResult.NotSent();
    }
    delivered.accept(envelope.id());
    return new DeliveryResult.Answered(
        envelope.recipients().stream()
            .map(
                each ->
                    new RecipientResult(
                        each.email(), RecipientResult.Status.ACCEPTED, "250 2.0.0 ok"))
            .toList(),
        "250 2.0.0 ok");
  }

  @Override
  public int availableCapacity(int wanted) {
    return wanted;
  }

  @Override
  public void close() {}
}
