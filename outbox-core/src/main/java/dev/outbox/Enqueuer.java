package dev.outbox;

import dev.outbox.email.Email;
import dev.outbox.email.IdempotencyConflictException;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.email.Receipt;
import dev.outbox.store.StoreException;
import java.util.Collection;
import java.util.List;

/**
 * What host code needs to send emails, and all it should depend on. An {@link Outbox} is one, and
 * makes others that join a transaction of the host's. Safe for many threads if the outbox made it;
 * one that joins a transaction belongs to whom the transaction belongs.
 */
public interface Enqueuer {

  /**
   * Stores an email to be sent. Once this has returned, or the joined transaction is committed, the
   * email is stored, and it leaves or the host is told why not.
   *
   * @return its id, and whether it is new: an idempotency key that is known gives the first email's
   * @throws InvalidEmailException if the email cannot work; the text names the field
   * @throws IdempotencyConflictException if its key was used for another email
   * @throws StoreException if it may not have been stored
   */
  Receipt send(Email email);

  /**
   * Stores many emails at once, which is much faster than one by one. All are checked before any is
   * stored.
   *
   * @return their receipts, in the same order
   * @throws InvalidEmailException if one of them cannot work; then none is stored
   * @throws IdempotencyConflictException if keys were used for other emails; the rest is stored,
   *     and the exception has the receipts
   * @throws StoreException if they may not have been stored
   */
  List<Receipt> sendAll(Collection<Email> emails);

  /**
   * Stores an email made of the five things that most emails are made of.
   *
   * @param to the recipient
   * @param from the sender
   * @param subject printed as it is
   * @param template the template's name
   * @param data a {@code Map} with text keys, or any record
   * @return as {@link #send(Email)}
   */
  default Receipt send(String to, String from, String subject, String template, Object data) {
    return send(Email.to(to).from(from).subject(subject).template(template, data).build());
  }
}
