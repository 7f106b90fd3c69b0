package dev.outbox.email;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that is known about a stored email without opening its content, waiting or long sent.
 *
 * @param id the email
 * @param state where it is on its way
 * @param addressesAndSubject sender, recipients and subject; null once erased
 * @param priority how soon it wants to leave when others wait too
 * @param template the template's name; null if the body was given inline
 * @param tags the host's labels
 * @param requestId the host's reference, or null
 * @param callbackUrl who is told what became of it, or null
 * @param progress the counters
 * @param timeline the times
 * @param due when it may next be claimed; null if it waits for nobody
 * @param deadline when it is given up if it could not leave
 * @param owner the node that holds it; null if none does
 * @param worker the node that last rendered or sent it, which its owner is while it does; calling
 *     back changes nothing about it, and it stays after archiving; null before the first claim
 * @param code why it failed; null if it did not
 * @param reason the last trouble in words, or null
 * @param response the relay's last words, or null
 * @param recipients what the relay said about each recipient; empty before the first reply
 * @param archived whether it has moved to the log
 */
public record EmailSummary(
    EmailId id,
    State state,
    @Nullable AddressesAndSubject addressesAndSubject,
    Priority priority,
    @Nullable String template,
    Set<String> tags,
    @Nullable String requestId,
    @Nullable URI callbackUrl,
    Counters progress,
    Timeline timeline,
    @Nullable Instant due,
    Instant deadline,
    @Nullable NodeId owner,
    @Nullable NodeId worker,
    @Nullable FailureCode code,
    @Nullable String reason,
    @Nullable String response,
    List<RecipientResult> recipients,
    boolean archived) {

  /**
   * Copies the collections. Whoever holds it to render or send it is its worker, so that a store
   * need not write the node twice at a claim.
   */
  public EmailSummary {
    worker = owner != null && !state.hasOutcome() ? owner : worker;
    tags = Set.copyOf(tags);
    recipients = List.copyOf(recipients);
  }

  /** Returns whether the personal data was taken away. */
  public boolean erased() {
    return addressesAndSubject == null;
  }

  /** Shows identity and state, nothing personal. */
  @Override
  public String toString() {
    return "EmailSummary[%s, %s, %s]".formatted(id, state.wireName(), progress);
  }
}
