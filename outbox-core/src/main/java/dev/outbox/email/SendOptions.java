package dev.outbox.email;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
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
 * @param sendAt not before this time, from 1970 to 8999; null for at once
 * @param expireAfter how long after it was due it may still leave; null for the outbox's setting
 * @param priority how soon it wants to leave when others wait too
 */
public record SendOptions(
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
  private static final int MAX_URL = 1_000;

  /** Every database can store the times before this one, and add a lifetime to them. */
  private static final Instant END_OF_TIME = Instant.parse("9000-01-01T00:00:00Z");

  /** Checks each value. */
  public SendOptions {
    if (idempotencyKey != null) {
      checkedKey("idempotencyKey", idempotencyKey);
    }
    if (requestId != null) {
      checkedKey("requestId", requestId);
    }
    tags = Set.copyOf(tags);
    if (tags.size() > MAX_TAGS) {
      throw new InvalidEmailException(
          "tags", "%d tags, more than %d".formatted(tags.size(), MAX_TAGS));
    }
    tags.forEach(SendOptions::checkedTag);
    if (callbackUrl != null) {
      checkedUrl(callbackUrl);
    }
    if (sendAt != null) {
      checkedTime(sendAt);
    }
    if (expireAfter != null) {
      checkedLife(expireAfter);
    }
    Objects.requireNonNull(priority, "priority");
  }

  /** Shows the priority only. */
  @Override
  public String toString() {
    return "Handling[" + priority + "]";
  }

  static String checkedKey(String field, String key) {
    return HeaderValidation.checked(field, key, MAX_KEY);
  }

  static String checkedTag(String tag) {
    return HeaderValidation.checked("tags", tag, MAX_TAG);
  }

  static Instant checkedTime(Instant sendAt) {
    return checkedTime("sendAt", sendAt);
  }

  static Instant checkedTime(String field, Instant time) {
    if (time.isBefore(Instant.EPOCH) || !time.isBefore(END_OF_TIME)) {
      throw new InvalidEmailException(field, "not between the years 1970 and 8999");
    }
    return time;
  }

  static Duration checkedLife(Duration expireAfter) {
    if (expireAfter.isZero() || expireAfter.isNegative()) {
      throw new InvalidEmailException("expireAfter", "not a positive duration: " + expireAfter);
    }
    return expireAfter;
  }

  /**
   * Returns the URL as it is.
   *
   * @throws InvalidEmailException if nobody can be told there
   */
  public static URI checkedUrl(URI url) {
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
    if (url.toString().length() > MAX_URL) {
      throw new InvalidEmailException("callbackUrl", "longer than " + MAX_URL + " characters");
    }
    return url;
  }
}
