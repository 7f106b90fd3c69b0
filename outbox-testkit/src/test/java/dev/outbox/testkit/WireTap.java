package dev.outbox.testkit;

import dev.outbox.email.Address;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.transport.DeliveryResult;
import dev.outbox.transport.Envelope;
import dev.outbox.transport.RenderedMessage;
import dev.outbox.transport.SendPermit;
import dev.outbox.transport.Transport;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;

/**
 * A transport that shows what is offered at the wire, byte by byte. It composes other bytes each
 * time, so that a message that is composed twice is found out.
 */
final class WireTap implements Transport {

  private final AtomicInteger composed = new AtomicInteger();
  private final List<Offer> offers = new CopyOnWriteArrayList<>();
  private volatile Function<RenderedMessage, Bytes> composer =
      message -> Bytes.utf8(message.id() + ", composed as number " + composed.incrementAndGet());
  private volatile Function<Envelope, DeliveryResult> answer = RecordingTransport::accept;
  private volatile IntUnaryOperator grants = wanted -> wanted;

  /** One delivery as the relay would see it. */
  record Offer(EmailId id, List<String> recipients, Bytes bytes) {}

  void compose(Function<RenderedMessage, Bytes> how) {
    composer = how;
  }

  void answer(Function<Envelope, DeliveryResult> how) {
    answer = how;
  }

  void grant(IntUnaryOperator how) {
    grants = how;
  }

  List<Offer> offers() {
    return List.copyOf(offers);
  }

  int composed() {
    return composed.get();
  }

  @Override
  public Bytes compose(RenderedMessage message) {
    return composer.apply(message);
  }

  @Override
  public DeliveryResult deliver(Envelope envelope, Bytes message, SendPermit permit) {
    if (!permit.isValid()) {
      return new DeliveryResult.NotSent();
    }
    offers.add(
        new Offer(
            envelope.id(), envelope.recipients().stream().map(Address::email).toList(), message));
    return answer.apply(envelope);
  }

  @Override
  public int availableCapacity(int wanted) {
    return grants.applyAsInt(wanted);
  }

  @Override
  public void close() {}
}
