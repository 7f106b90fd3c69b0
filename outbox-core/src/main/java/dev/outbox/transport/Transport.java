package dev.outbox.transport;

import dev.outbox.email.Bytes;

/**
 * A way out for emails: SMTP, a provider's HTTP API, or a folder of files.
 *
 * <p>Transports are used by many threads at once. They never retry an email by themselves; they
 * tell what happened, and the outbox decides.
 */
public interface Transport extends AutoCloseable {

  /**
   * Puts a message into the form in which it is sent. The same message gives the same bytes,
   * whenever and wherever it is composed.
   *
   * @throws RuntimeException if the message cannot be sent in any form; the email is then invalid.
   *     The text may be stored, so it has nothing personal in it
   */
  Bytes compose(RenderedMessage message);

  /**
   * Sends one message, and waits for the relay's answer no longer than the transport's own
   * timeouts.
   *
   * @param envelope who sends to whom
   * @param message what {@link #compose} made
   * @param permit asked right before the step after which the relay may have the email; if it no
   *     longer stands, that step is not taken and the result is {@link DeliveryResult.NotSent}
   */
  DeliveryResult deliver(Envelope envelope, Bytes message, SendPermit permit);

  /**
   * Returns how many emails may be claimed for this transport now: as many as wanted, or fewer if a
   * rate limit or a resting relay allows no more. It only looks: nothing is used up by it. An
   * outbox also asks when it starts, and does not start if that fails.
   *
   * @param wanted how many the processor has room for
   * @return between 0 and {@code wanted}
   * @throws IllegalStateException if the transport was closed and cannot be used again, as may
   *     happen when two outboxes share it; the text says which transport that is
   */
  int availableCapacity(int wanted);

  /**
   * Closes every connection. Deliveries under way end at once, with {@link DeliveryResult.NotSent}
   * if the relay cannot have the email, else with {@link DeliveryResult.Unknown}.
   */
  @Override
  void close();
}
