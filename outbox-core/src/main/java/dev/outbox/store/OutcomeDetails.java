package dev.outbox.store;

import dev.outbox.email.RecipientResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was said and learned while an email was worked on. What is null or empty leaves what is
 * stored.
 *
 * <p>Texts of relays and receivers have any length; they are shortened to {@link
 * StoredValueLimits}. The reason may quote a relay and is personal data: it is never logged.
 *
 * @param reason why the email failed or waits, with the relay's first refusal; or null
 * @param response the relay's or the callback receiver's words, or null
 * @param subject the subject that the template gave, or null
 * @param recipients what the relay said about each recipient
 */
public record OutcomeDetails(
    @Nullable String reason,
    @Nullable String response,
    @Nullable String subject,
    List<RecipientResult> recipients) {

  /** Nothing to say. */
  public static final OutcomeDetails NONE = new OutcomeDetails(null, null, null, List.of());

  /**
   * Copies the list and shortens the texts of relays and receivers.
   *
   * @throws dev.outbox.email.InvalidEmailException if the subject is longer than {@link
   *     StoredValueLimits#SUBJECT}
   */
  public OutcomeDetails {
    StoredValueLimits.check("subject", subject, StoredValueLimits.SUBJECT);
    reason = reason == null ? null : StoredValueLimits.shortened(reason, StoredValueLimits.REASON);
    response =
        response == null ? null : StoredValueLimits.shortened(response, StoredValueLimits.RESPONSE);
    recipients = List.copyOf(StoredValueLimits.shortened(recipients));
  }

  /** Returns a report of trouble. */
  public static OutcomeDetails of(String reason) {
    return NONE.reason(reason);
  }

  /** Returns the same with the trouble in words. */
  public OutcomeDetails reason(String words) {
    return new OutcomeDetails(words, response, subject, recipients);
  }

  /** Returns the same with the relay's or receiver's words. */
  public OutcomeDetails response(String words) {
    return new OutcomeDetails(reason, words, subject, recipients);
  }

  /** Returns the same with the subject that the template gave. */
  public OutcomeDetails subject(String rendered) {
    return new OutcomeDetails(reason, response, rendered, recipients);
  }

  /** Returns the same with the results for each recipient. */
  public OutcomeDetails recipients(List<RecipientResult> results) {
    return new OutcomeDetails(reason, response, subject, results);
  }

  /** Shows nothing of what was said. */
  @Override
  public String toString() {
    return "Report[recipients=" + recipients.size() + "]";
  }
}
