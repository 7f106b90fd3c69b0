package dev.outbox.benchmarks;

import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.transport.DeliveryResult;
import dev.outbox.transport.Envelope;
import dev.outbox.transport.RenderedMessage;
import dev.outbox.transport.SendPermit;
import dev.outbox.transport.Transport;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Remembers when the relay took each email. */
final class TimedTransport implements Transport {

  private final Transport transport;
  private final Map<EmailId, Long> taken = new ConcurrentHashMap<>();

  TimedTransport(Transport transport) {
    this.transport = transport;
  }

  /** Returns the moments by {@link System#nanoTime()}. */
  Map<EmailId, Long> taken() {
    return taken;
  }

  @Override
  public Bytes compose(RenderedMessage message) {
    return transport.compose(message);
  }

  @Override
  public DeliveryResult deliver(Envelope envelope, Bytes message, SendPermit permit) {
    DeliveryResult result = transport.deliver(envelope, message, permit);
    taken.put(envelope.id(), System.nanoTime());
    return result;
  }

  @Override
  public int availableCapacity(int wanted) {
    return transport.availableCapacity(wanted);
  }

  @Override
  public void close() {
    transport.close();
  }
}
