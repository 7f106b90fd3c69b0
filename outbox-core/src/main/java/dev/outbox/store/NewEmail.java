package dev.outbox.store;

import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.Headline;
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
 * @param headline sender, recipients and subject
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
    Headline headline,
    Priority priority,
    @Nullable String template,
    Set<String> tags,
    @Nullable String requestId,
    @Nullable URI callbackUrl,
    @Nullable IdempotencyKey key,
    @Nullable Instant sendAt,
    Duration lifetime,
    Bytes payload) {

  /** Copies the tags and refuses an email that would expire at once. */
  public NewEmail {
    tags = Set.copyOf(tags);
    if (lifetime.isZero() || lifetime.isNegative()) {
      throw new IllegalArgumentException("lifetime: must be positive, is " + lifetime);
    }
  }

  /** Shows the id only. */
  @Override
  public String toString() {
    return "NewEmail[" + id + "]";
  }
}
