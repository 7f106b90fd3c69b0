package dev.outbox.javalin;

import dev.outbox.email.Address;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.RecipientResult.Status;
import dev.outbox.transport.DeliveryResult;
import dev.outbox.transport.Envelope;
import dev.outbox.transport.RenderedMessage;
import dev.outbox.transport.SendPermit;
import dev.outbox.transport.Transport;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * A transport for development that sends nothing: everything "sent" is kept in memory, and the
 * plugin shows it as a mailbox. The oldest emails make room for new ones. Safe for many threads.
 *
 * <pre>{@code
 * DevInbox inbox = new DevInbox();
 * Outbox outbox = Outbox.builder(store).transport(inbox).build();
 * config.registerPlugin(new OutboxPlugin(outbox, p -> p.inbox(inbox).access(ctx -> Access.ADMIN)));
 * }</pre>
 */
public final class DevelopmentInbox implements Transport {

  private static final String TAKEN = "250 2.0.0 kept in the development inbox";
  private static final String REFUSED = "550 5.1.1 refused by the development inbox";

  private final int capacity;
  private final Predicate<Address> refuses;
  private final Deque<CapturedEmail> kept = new ArrayDeque<>();
  private final Map<EmailId, RenderedMessage> composed;
  private long number;
  private boolean closed;

  /** Makes an inbox that accepts everything and keeps the newest 1,000 emails. */
  public DevelopmentInbox() {
    this(1_000, address -> false);
  }

  /**
   * Makes an inbox.
   *
   * @param capacity how many emails are kept
   * @param refuses which recipients are refused for good, to see what becomes of failures; asked
   *     once for each delivery
   */
  public DevelopmentInbox(int capacity, Predicate<Address> refuses) {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity: must be positive, is " + capacity);
    }
    this.capacity = capacity;
    this.refuses = refuses;
    this.composed =
        new LinkedHashMap<>() {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<EmailId, RenderedMessage> eldest) {
            return size() > capacity;
          }
        };
  }

  /** Writes a MIME message that people can read: nothing in it is encoded but files. */
  @Override
  public Bytes compose(RenderedMessage message) {
    synchronized (this) {
      composed.put(message.id(), message);
    }
    return PlainMimeWriter.of(message);
  }

  @Override
  public synchronized DeliveryResult deliver(Envelope envelope, Bytes message, SendPermit permit) {
    if (closed || !permit.isValid()) {
      return new DeliveryResult.NotSent();
    }
    List<RecipientResult> results = envelope.recipients().stream().map(this::answer).toList();
    List<Address> takers =
        IntStream.range(0, results.size())
            .filter(i -> results.get(i).status() == Status.ACCEPTED)
            .mapToObj(envelope.recipients()::get)
            .toList();
    if (!takers.isEmpty()) {
      keep(
          new CapturedEmail(
              ++number,
              Instant.now(),
              new Envelope(envelope.id(), envelope.from(), takers),
              Optional.ofNullable(composed.get(envelope.id())),
              message));
    }
    return new DeliveryResult.Answered(results, takers.isEmpty() ? REFUSED : TAKEN);
  }

  private RecipientResult answer(Address address) {
    return refuses.test(address)
        ? new RecipientResult(address.email(), Status.REFUSED, REFUSED)
        : new RecipientResult(address.email(), Status.ACCEPTED, TAKEN);
  }

  private void keep(CapturedEmail email) {
    kept.addFirst(email);
    if (kept.size() > capacity) {
      kept.removeLast();
    }
  }

  @Override
  public synchronized int availableCapacity(int wanted) {
    if (closed) {
      throw new IllegalStateException("the development inbox was closed");
    }
    return wanted;
  }

  @Override
  public synchronized void close() {
    closed = true;
  }

  /** Forgets all that was caught. */
  public synchronized void clear() {
    kept.clear();
  }

  /** Returns how many emails are kept. */
  public synchronized int size() {
    return kept.size();
  }

  /** Lists what was caught, the newest first. */
  synchronized List<CapturedEmail> list() {
    return List.copyOf(kept);
  }

  synchronized Optional<CapturedEmail> find(long wanted) {
    return kept.stream().filter(each -> each.number() == wanted).findFirst();
  }
}
