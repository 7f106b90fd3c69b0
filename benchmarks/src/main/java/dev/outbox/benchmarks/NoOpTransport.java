package dev.outbox.benchmarks;

import dev.outbox.email.Bytes;
import dev.outbox.email.RecipientResult;
import dev.outbox.transport.DeliveryResult;
import dev.outbox.transport.Envelope;
import dev.outbox.transport.RenderedMessage;
import dev.outbox.transport.SendPermit;
import dev.outbox.transport.Transport;

/** A way out that does nothing, for the comparison with peers' empty tasks. */
final class NoOpTransport implements Transport {

  private static final Bytes NOTHING_MUCH = Bytes.utf8(".");

  @Override
  public Bytes compose(RenderedMessage message) {
    return NOTHING_MUCH;
  }

  @Override
  public DeliveryResult deliver(Envelope envelope, Bytes message, SendPermit permit) {
    return new DeliveryResult.Answered(
        envelope.recipients().stream()
            .map(
                each ->
                    new RecipientResult(each.email(), RecipientResult.Status.ACCEPTED, "250 ok"))
            .toList(),
        "250 ok");
  }

  @Override
  public int availableCapacity(int wanted) {
    return wanted;
  }

  @Override
  public void close() {}
}
