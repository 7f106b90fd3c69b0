package dev.outbox.email;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How large an email may be; checked before anything is stored.
 *
 * @param recipients how many mailboxes at most; default 100
 * @param attachmentBytes the size of all attachments together; default 10 MiB
 * @param dataBytes the size of the template data as JSON; default 256 KiB
 * @param bodyBytes the size of html and text together when given inline; default 1 MiB
 * @param expireAfter the longest life an email may ask for, up to 3650 days; default 30 days
 */
public record EmailLimits(
    int recipients, long attachmentBytes, int dataBytes, int bodyBytes, Duration expireAfter) {

  private static final int MAX_SUBJECT = 500;
  private static final int MAX_HEADERS = 50;
  private static final String BYTES = "bytes";
  private static final Duration MAX_LIFE = Duration.ofDays(3650);

  /** The limits of an outbox that sets none. */
  public static final EmailLimits DEFAULT =
      new EmailLimits(100, 10L << 20, 256 << 10, 1 << 20, Duration.ofDays(30));

  /** Refuses limits that would let nothing through. */
  public EmailLimits {
    positive("recipients", recipients);
    positive("attachmentBytes", attachmentBytes);
    positive("dataBytes", dataBytes);
    positive("bodyBytes", bodyBytes);
    if (expireAfter.isZero() || expireAfter.isNegative() || expireAfter.compareTo(MAX_LIFE) > 0) {
      throw new IllegalArgumentException(
          "expireAfter: must be positive and at most %s, is %s".formatted(MAX_LIFE, expireAfter));
    }
  }

  /** Returns the same with another number of mailboxes. */
  public EmailLimits recipients(int limit) {
    return new EmailLimits(limit, attachmentBytes, dataBytes, bodyBytes, expireAfter);
  }

  /** Returns the same with another size of all attachments together. */
  public EmailLimits attachmentBytes(long limit) {
    return new EmailLimits(recipients, limit, dataBytes, bodyBytes, expireAfter);
  }

  /** Returns the same with another size of the template data. */
  public EmailLimits dataBytes(int limit) {
    return new EmailLimits(recipients, attachmentBytes, limit, bodyBytes, expireAfter);
  }

  /** Returns the same with another size of an inline body. */
  public EmailLimits bodyBytes(int limit) {
    return new EmailLimits(recipients, attachmentBytes, dataBytes, limit, expireAfter);
  }

  /** Returns the same with another longest life. */
  public EmailLimits expireAfter(Duration limit) {
    return new EmailLimits(recipients, attachmentBytes, dataBytes, bodyBytes, limit);
  }

  /**
   * Lets an email pass or refuses it.
   *
   * @throws InvalidEmailException naming the field that is too large, its size and the limit
   */
  public void check(Email email) {
    Recipients all = email.recipients();
    within(
        "recipients",
        all.to().size() + all.cc().size() + all.bcc().size(),
        recipients,
        "addresses");
    within("replyTo", email.replyTo().size(), recipients, "addresses");
    within("headers", email.headers().size(), MAX_HEADERS, "headers");
    within("attachments", size(email.attachments()), attachmentBytes, BYTES);
    if (email.subject() != null) {
      within("subject", email.subject().length(), MAX_SUBJECT, "characters");
    }
    if (email.body() instanceof Body.Templated templated) {
      within("data", templated.data().bytes(), dataBytes, BYTES);
    } else if (email.body() instanceof Body.Inline inline) {
      within("body", utf8Length(inline.html()) + utf8Length(inline.text()), bodyBytes, BYTES);
    }
    Duration life = email.options().expireAfter();
    if (life != null && life.compareTo(expireAfter) > 0) {
      throw new InvalidEmailException(
          "expireAfter", "%s, more than the limit of %s".formatted(life, expireAfter));
    }
  }

  private static long size(List<Attachment> attachments) {
    long size = 0;
    for (Attachment each : attachments) {
      size += each.content().length();
    }
    return size;
  }

  private static long utf8Length(@Nullable String text) {
    return text == null ? 0 : Bytes.utf8(text).length();
  }

  private static void within(String field, long size, long limit, String unit) {
    if (size > limit) {
      throw new InvalidEmailException(
          field, "%d %s, more than the limit of %d".formatted(size, unit, limit));
    }
  }

  private static void positive(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + ": must be positive, is " + value);
    }
  }
}
