package dev.outbox.smtp;

import static java.util.stream.Collectors.joining;

import dev.outbox.email.Bytes;
import dev.outbox.transport.DeliveryResult;
import dev.outbox.transport.Envelope;
import dev.outbox.transport.RenderedMessage;
import dev.outbox.transport.SendPermit;
import dev.outbox.transport.Transport;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * The way out over SMTP, to one relay or to several of which the first that works is used. Safe for
 * many threads.
 *
 * <pre>{@code
 * SmtpTransport.over(SmtpRelay.startTls("smtp.example.com", 587).login("shop", password));
 * }</pre>
 *
 * <p>Connections are kept and used again. A relay that is down, asks us to slow down or refuses us
 * circuit open for a while, during which emails wait without using up attempts. The relay's answers
 * are classified by code, enhanced status and step; {@code docs/smtp.md} has the table.
 */
public final class SmtpTransport implements Transport {

  private final List<RelayClient> lines;
  private final TimeoutMonitor watchdog;
  private volatile boolean closed;

  private SmtpTransport(List<SmtpRelay> relays, LongSupplier nanos) {
    this.watchdog = new TimeoutMonitor(this::tidy);
    this.lines =
        relays.stream().map(relay -> new RelayClient(relay, nanos, watchdog::start)).toList();
  }

  /**
   * Makes a transport.
   *
   * @param first the relay that is used while it works
   * @param others those used while it does not, in this order
   */
  public static SmtpTransport over(SmtpRelay first, SmtpRelay... others) {
    return over(Stream.concat(Stream.of(first), Stream.of(others)).toList(), System::nanoTime);
  }

  /**
   * Makes a transport for tests that move time.
   *
   * @param relays at least one; the first that works is used
   * @param monotonicClock in nanoseconds; by it relays rest and emails are counted, while sockets
   *     keep to the system's
   */
  public static SmtpTransport over(List<SmtpRelay> relays, LongSupplier monotonicClock) {
    if (relays.isEmpty()) {
      throw new IllegalArgumentException("relays: none");
    }
    return new SmtpTransport(relays, monotonicClock);
  }

  /**
   * Writes the email as a MIME message, with a text part made from the html if there is none.
   *
   * @throws IllegalArgumentException naming the header that holds a line break or NUL
   */
  @Override
  public Bytes compose(RenderedMessage message) {
    return MimeComposer.compose(message);
  }

  @Override
  public DeliveryResult deliver(Envelope envelope, Bytes message, SendPermit permit) {
    DotStuffedMessage bytes = DotStuffedMessage.of(message);
    DeliveryResult.Postponed soonest = null;
    for (RelayClient channel : lines) {
      if (closed) {
        return new DeliveryResult.NotSent();
      }
      RelayClient.Outcome outcome = channel.deliver(envelope, bytes, permit);
      if (!outcome.elsewhere() || !(outcome.result() instanceof DeliveryResult.Postponed wait)) {
        return outcome.result();
      }
      if (soonest == null || wait.delay().compareTo(soonest.delay()) < 0) {
        soonest = wait;
      }
    }
    return soonest == null ? new DeliveryResult.NotSent() : soonest;
  }

  /**
   * Returns as many as the first relay that is not resting has left of its share.
   *
   * @throws IllegalStateException if it was closed; the text names the relays
   */
  @Override
  public int availableCapacity(int wanted) {
    if (closed) {
      throw new IllegalStateException(
          "the SmtpTransport to %s was closed, with its outbox or by a call of close(): make a new one"
              .formatted(lines.stream().map(RelayClient::name).collect(joining(", "))));
    }
    return lines.stream()
        .filter(channel -> !channel.isOpen())
        .findFirst()
        .map(channel -> channel.open(wanted))
        .orElse(0);
  }

  @Override
  public void close() {
    closed = true;
    watchdog.stop();
    lines.forEach(RelayClient::close);
  }

  private void tidy() {
    lines.forEach(RelayClient::tidy);
  }
}
