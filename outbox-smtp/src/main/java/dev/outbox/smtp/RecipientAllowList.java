package dev.outbox.smtp;

import dev.outbox.email.Address;
import dev.outbox.email.Bytes;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.RecipientResult.Status;
import dev.outbox.transport.DeliveryResult;
import dev.outbox.transport.Envelope;
import dev.outbox.transport.RenderedMessage;
import dev.outbox.transport.SendPermit;
import dev.outbox.transport.Transport;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A guard around any transport for development and staging: only recipients on a list get mail;
 * everybody else's is diverted to one mailbox, or held. Safe for many threads.
 *
 * <pre>{@code
 * ApprovedRecipients.divert(smtp, "staging@example.com", "@example.com", "ada@customer.example");
 * }</pre>
 */
public final class RecipientAllowList implements Transport {

  private static final String HELD = "not on the list of approved recipients";

  private final Transport transport;
  private final Set<String> approved = new HashSet<>();
  private final @Nullable Address catchAll;

  private RecipientAllowList(
      Transport transport, @Nullable Address catchAll, String... addressesAndDomains) {
    this.transport = transport;
    this.catchAll = catchAll;
    for (String each : addressesAndDomains) {
      approved.add(checked(each));
    }
  }

  /**
   * Holds what is for others: they count as refused, so that the email is {@code FAILED}, keeps its
   * content and can be requeued.
   *
   * @param approved addresses, such as {@code ada@example.com}, and domains, such as {@code
   *     @example.com}
   */
  public static RecipientAllowList rejectOthers(Transport transport, String... approved) {
    return new RecipientAllowList(transport, null, approved);
  }

  /**
   * Sends what is for others to one mailbox instead; the message's headers stay as they are.
   *
   * @param catchAll where it goes
   * @param approved addresses, such as {@code ada@example.com}, and domains, such as {@code
   *     @example.com}
   */
  public static RecipientAllowList redirectOthers(
      Transport transport, String catchAll, String... approved) {
    return new RecipientAllowList(transport, Address.parse("catchAll", catchAll), approved);
  }

  private static String checked(String entry) {
    if (entry.startsWith("@")) {
      return "@" + Address.parse("approved", "someone" + entry).domain();
    }
    return Address.parse("approved", entry).canonical();
  }

  @Override
  public Bytes compose(RenderedMessage message) {
    return transport.compose(message);
  }

  @Override
  public DeliveryResult deliver(Envelope envelope, Bytes message, SendPermit permit) {
    List<Address> receivers = new ArrayList<>();
    for (Address each : envelope.recipients()) {
      Address receiver = receiver(each);
      if (receiver != null && receivers.stream().noneMatch(receiver::equals)) {
        receivers.add(receiver);
      }
    }
    if (receivers.isEmpty()) {
      return new DeliveryResult.Answered(inTheirNames(envelope, List.of()), HELD);
    }
    DeliveryResult result =
        transport.deliver(new Envelope(envelope.id(), envelope.from(), receivers), message, permit);
    if (result instanceof DeliveryResult.Answered answered) {
      return new DeliveryResult.Answered(
          inTheirNames(envelope, answered.recipients()), answered.response());
    }
    if (result instanceof DeliveryResult.Postponed wait && !wait.recipients().isEmpty()) {
      return new DeliveryResult.Postponed(
          wait.delay(), wait.reason(), wait.response(), inTheirNames(envelope, wait.recipients()));
    }
    return result;
  }

  private @Nullable Address receiver(Address recipient) {
    boolean listed =
        approved.contains(recipient.canonical())
            || approved.contains("@" + recipient.domain().toLowerCase(Locale.ROOT));
    return listed ? recipient : catchAll;
  }

  /** Tells for each recipient what became of the one who got its mail. */
  private List<RecipientResult> inTheirNames(Envelope envelope, List<RecipientResult> results) {
    return envelope.recipients().stream()
        .map(each -> inTheNameOf(each, receiver(each), results))
        .toList();
  }

  private static RecipientResult inTheNameOf(
      Address recipient, @Nullable Address receiver, List<RecipientResult> results) {
    if (receiver == null) {
      return new RecipientResult(recipient.email(), Status.REFUSED, HELD);
    }
    return results.stream()
        .filter(result -> result.recipient().equals(receiver.email()))
        .findFirst()
        .map(known -> new RecipientResult(recipient.email(), known.status(), known.reply()))
        .orElse(new RecipientResult(recipient.email(), Status.PENDING, null));
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
