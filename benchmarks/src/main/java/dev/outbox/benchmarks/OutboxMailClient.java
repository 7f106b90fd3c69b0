package dev.outbox.benchmarks;

import dev.outbox.smtp.SmtpTransport;
import dev.outbox.transport.DeliveryResult;
import dev.outbox.transport.Envelope;
import dev.outbox.transport.RenderedMessage;
import java.io.IOException;

/** This library's transport, which composes each message; all senders share its pool. */
final class OutboxMailClient implements MailClient {

  private final SmtpTransport transport;

  OutboxMailClient(SmtpTransport transport) {
    this.transport = transport;
  }

  @Override
  public void send() throws IOException {
    RenderedMessage message = SampleMail.message();
    DeliveryResult result =
        transport.deliver(
            new Envelope(message.id(), message.from(), message.recipients().all()),
            transport.compose(message),
            () -> true);
    if (!(result instanceof DeliveryResult.Answered)) {
      throw new IOException("not accepted: " + result);
    }
  }

  @Override
  public void close() {
    // The transport is closed by whoever made it.
  }
}
