package dev.outbox.testkit;

import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.RecipientResult.Status;
import dev.outbox.transport.DeliveryResult;
import dev.outbox.transport.Envelope;
import dev.outbox.transport.RenderedMessage;
import dev.outbox.transport.SendPermit;
import dev.outbox.transport.Transport;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A transport that sends nothing and remembers everything, with answers that a test can script.
 *
 * <p>It accepts every email unless told otherwise: {@link #answer} sets what it says from now on,
 * {@link #answerNext} what it says once. Safe for many threads.
 */
public final class RecordingTransport implements Transport {

  private final Map<EmailId, RenderedMessage> composed = new ConcurrentHashMap<>();
  private final List<SentEmail> sent = new CopyOnWriteArrayList<>();
  private final Queue<Function<Envelope, DeliveryResult>> next = new ConcurrentLinkedQueue<>();
  private volatile Function<Envelope, DeliveryResult> usual = RecordingTransport::accept;
  private volatile int limit = Integer.MAX_VALUE;
  private volatile Runnable beforeFinalStep = () -> {};
  private volatile boolean closed;

  /** Makes a transport that accepts everything. */
  public RecordingTransport() {}

  /** Accepts the email for every recipient. */
  public static DeliveryResult accept(Envelope envelope) {
    return answered(envelope, Status.ACCEPTED, "250 2.0.0 ok");
  }

  /** Refuses every recipient for good. */
  public static DeliveryResult refuse(Envelope envelope) {
    return answered(envelope, Status.REFUSED, "550 5.1.1 no such mailbox");
  }

  /** Asks for every recipient to be tried again later. */
  public static DeliveryResult defer(Envelope envelope) {
    return answered(envelope, Status.PENDING, "450 4.2.0 try again later");
  }

  /** Sets what is answered from now on. */
  public void answer(Function<Envelope, DeliveryResult> answer) {
    usual = answer;
  }

  /** Adds what is answered once, before the usual. */
  public void answerNext(Function<Envelope, DeliveryResult> answer) {
    next.add(answer);
  }

  /**
   * Sets what happens in each delivery right before the relay could have the email; a test may
   * freeze the node here by moving time.
   */
  public void beforeFinalStep(Runnable action) {
    beforeFinalStep = action;
  }

  /** Sets how many emails may be claimed at once. */
  public void limitCapacity(int emails) {
    limit = emails;
  }

  /** Returns what was accepted for at least one recipient, in order. */
  public List<SentEmail> sent() {
    return List.copyOf(sent);
  }

  /** Forgets what was sent. */
  public void clear() {
    sent.clear();
  }

  /** Returns whether it was closed. */
  public boolean isClosed() {
    return closed;
  }

  @Override
  public Bytes compose(RenderedMessage message) {
    composed.put(message.id(), message);
    return Bytes.utf8(
        "Subject: %s\n\n%s\n%s\n".formatted(message.subject(), message.text(), message.html()));
  }

  @Override
  public DeliveryResult deliver(Envelope envelope, Bytes message, SendPermit permit) {
    beforeFinalStep.run();
    if (!permit.isValid()) {
      return new DeliveryResult.NotSent();
    }
    Function<Envelope, DeliveryResult> scripted = next.poll();
    DeliveryResult result = (scripted == null ? usual : scripted).apply(envelope);
    if (result instanceof DeliveryResult.Answered answered) {
      record(envelope, answered);
    }
    return result;
  }

  private void record(Envelope envelope, DeliveryResult.Answered answered) {
    List<String> accepted =
        answered.recipients().stream()
            .filter(each -> each.status() == Status.ACCEPTED)
            .map(RecipientResult::recipient)
            .toList();
    @Nullable RenderedMessage message = composed.get(envelope.id());
    if (!accepted.isEmpty() && message != null) {
      sent.add(
          new SentEmail(
              message,
              envelope.recipients().stream()
                  .filter(each -> accepted.contains(each.email()))
                  .toList()));
    }
  }

  @Override
  public int availableCapacity(int wanted) {
    return Math.min(wanted, limit);
  }

  @Override
  public void close() {
    closed = true;
  }

  private static DeliveryResult answered(Envelope envelope, Status status, String reply) {
    return new DeliveryResult.Answered(
        envelope.recipients().stream()
            .map(each -> new RecipientResult(each.email(), status, reply))
            .toList(),
        reply);
  }
}
