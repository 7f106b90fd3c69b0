package dev.outbox.event;

import dev.outbox.email.EmailId;
import dev.outbox.email.FailureCode;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.State;
import java.time.Duration;
import java.util.List;

/**
 * Something that happened to an email, told on the event bus of the node where it happened.
 *
 * <p>Events are for looking on: for counters, caches and live pages. They come after the store has
 * recorded what they tell, and they are lost when the process dies in between, when another node
 * did the work, or when subscribers are so slow that the queue is full. Whoever must not miss an
 * outcome asks for a callback or queries the outbox.
 */
public sealed interface OutboxEvent {

  /** Returns the email it happened to. */
  EmailId id();

  /** An email was stored. Told after the commit where the store learns of it. */
  record EmailAccepted(EmailId id) implements OutboxEvent {}

  /**
   * The relay took an email for every recipient.
   *
   * @param id the email
   * @param attempts deliveries that had been used up before
   */
  record EmailSent(EmailId id, int attempts) implements OutboxEvent {}

  /**
   * A delivery was in vain and is to be repeated.
   *
   * @param id the email
   * @param attempts deliveries used up so far
   * @param delay how long until the next
   */
  record EmailRetryScheduled(EmailId id, int attempts, Duration delay) implements OutboxEvent {}

  /**
   * An email was given up. One that was cancelled is told by the node that was asked, once for each
   * time it was asked.
   *
   * @param id the email
   * @param code why
   * @param recipients what the relay said about each recipient; empty if it was not asked
   */
  record EmailFailed(EmailId id, FailureCode code, List<RecipientResult> recipients)
      implements OutboxEvent {

    /** Copies the list. */
    public EmailFailed {
      recipients = List.copyOf(recipients);
    }
  }

  /** An email could not be rendered or read. */
  record EmailInvalid(EmailId id) implements OutboxEvent {}

  /**
   * An email was taken from a dead node.
   *
   * @param id the email
   * @param reaps how often that has happened to it
   */
  record EmailReaped(EmailId id, int reaps) implements OutboxEvent {}

  /** An email was requeued by hand. */
  record EmailRequeued(EmailId id) implements OutboxEvent {}

  /**
   * An email's personal data was taken away. If it had not been sent yet it was cancelled with it,
   * which is not told apart.
   */
  record EmailErased(EmailId id) implements OutboxEvent {}

  /** The relay took an email from a node that no longer held it; another may have sent it too. */
  record PossibleDuplicate(EmailId id) implements OutboxEvent {}

  /**
   * The host was told by a callback what became of an email.
   *
   * @param id the email
   * @param outcome sent, failed or invalid
   */
  record CallbackAcknowledged(EmailId id, State outcome) implements OutboxEvent {}

  /**
   * The host could not be told, and an operator has to look.
   *
   * @param id the email
   * @param outcome sent, failed or invalid
   */
  record CallbackAbandoned(EmailId id, State outcome) implements OutboxEvent {}
}
