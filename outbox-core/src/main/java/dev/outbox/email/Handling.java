package dev.outbox.email;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How an email is to be treated, as opposed to what its receiver sees. None of this counts when two
 * requests with one idempotency key are compared.
 *
 * @param idempotencyKey makes a repeated request the same email; null for none
 * @param requestId the host's own reference, kept in the log and told in callbacks; null for none
 * @param tags the host's own labels, for queries
 * @param callbackUrl who is told what became of it; null for the outbox's own setting
 * @param sendAt not before this time; null for at once
 * @param expireAfter how long after it was due it may still leave; null for the outbox's setting
 * @param priority how soon it wants to leave when others wait too
 */
public record Handling(
    @Nullable String idempotencyKey,
    @Nullable String requestId,
    Set<String> tags,
    @Nullable URI callbackUrl,
    @Nullable Instant sendAt,
    @Nullable Duration expireAfter,
    Priority priority) {

  private static final int MAX_KEY = 255;
  private static final int MAX_TAG = 64;
  private static final int MAX_TAGS = 16;

  /** Checks each value. */
  public Handling {
    if (idempotencyKey != null) {
      HeaderText.checked("idempotencyKey", idempotencyKey, MAX_KEY);
    }
    if (requestId != null) {
      HeaderText.checked("requestId", requestId, MAX_KEY);
    }
    tags = Set.copyOf(tags);
    if (tags.size() > MAX_TAGS) {
      throw new InvalidEmailException("tags", "%d, more than %d".formatted(tags.size(), MAX_TAGS));
    }
    tags.forEach(tag -> HeaderText.checked("tags", tag, MAX_TAG));
    if (callbackUrl != null) {
      checkUrl(callbackUrl);
    }
    if (expireAfter != null && (expireAfter.isZero() || expireAfter.isNegative())) {
      throw new InvalidEmailException("expireAfter", "not a positive duration: " + expireAfter);
    }
  }

  /** Shows the priority only. */
  @Override
  public String toString() {
    return "Handling[" + priority + "]";
  }

  private static void checkUrl(URI url) {
    String scheme = url.getScheme();
    if (!"http".equalsIgnoreCase(scheme) && !"https".equalsIgnoreCase(scheme)) {
      throw new InvalidEmailException("callbackUrl", "not an absolute http or https URL");
    }
    if (url.getHost() == null) {
      throw new InvalidEmailException("callbackUrl", "names no host");
    }
    if (url.getRawUserInfo() != null) {
      throw new InvalidEmailException("callbackUrl", "holds credentials");
    }
    if (url.toString().length() > 1_000) {
      throw new InvalidEmailException("callbackUrl", "longer than 1000 characters");
    }
  }
}
