package dev.outbox.store;

import dev.outbox.email.AddressesAndSubject;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.email.Priority;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An email as it is stored: what queries need, and the rest in a form that only the core reads.
 *
 * @param id its id, made by the caller, so that a repeated insert is recognised
 * @param addressesAndSubject sender, recipients and subject
 * @param priority its lane
 * @param template the template's name; null if the body was given inline
 * @param tags the host's labels
 * @param requestId the host's reference, or null
 * @param callbackUrl who is told what became of it; null for nobody
 * @param key its idempotency key, or null
 * @param sendAt not before this time; null for at once
 * @param lifetime how long after it is due it may still leave
 * @param payload the content, opaque to the store
 */
public record NewEmail(
    EmailId id,
    AddressesAndSubject addressesAndSubject,
    Priority priority,
    @Nullable String template,
    Set<String> tags,
    @Nullable String requestId,
    @Nullable URI callbackUrl,
    @Nullable IdempotencyKey key,
    @Nullable Instant sendAt,
    Duration lifetime,
    Bytes payload) {

  /**
   * Copies the tags, and rejects an email that would expire at once or that not every store could
   * keep.
   *
   * @throws InvalidEmailException naming the field that exceeds {@link StoredValueLimits}
   */
  public NewEmail {
    tags = Set.copyOf(tags);
    StoredValueLimits.check("from", addressesAndSubject.from().format(), StoredValueLimits.SENDER);
    StoredValueLimits.check("subject", addressesAndSubject.subject(), StoredValueLimits.SUBJECT);
    StoredValueLimits.check("template", template, StoredValueLimits.TEMPLATE);
    StoredValueLimits.check("requestId", requestId, StoredValueLimits.REQUEST_ID);
    StoredValueLimits.check(
        "callbackUrl",
        callbackUrl == null ? null : callbackUrl.toString(),
        StoredValueLimits.CALLBACK_URL);
    tags.forEach(tag -> StoredValueLimits.check("tags", tag, StoredValueLimits.TAG));
    within("tags", tags.size(), StoredValueLimits.TAGS, "tags");
    within(
        "recipients",
        StoredValueLimits.bytes(addressesAndSubject.recipients()),
        StoredValueLimits.RECIPIENTS_BYTES,
        "bytes in stored form");
    if (lifetime.isZero() || lifetime.isNegative()) {
      throw new IllegalArgumentException("lifetime: must be positive, is " + lifetime);
    }
  }

  private static void within(String field, long size, long limit, String unit) {
    if (size > limit) {
      throw new InvalidEmailException(
          field, "%d %s, more than the limit of %d".formatted(size, unit, limit));
    }
  }

  /** Shows the id only. */
  @Override
  public String toString() {
    return "NewEmail[" + id + "]";
  }
}
