package dev.outbox.store;

import dev.outbox.email.Address;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.Recipients;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The longest values of an email that every store can keep. Lengths of texts are in {@code char}s.
 *
 * <p>Values are measured against these limits before an email is stored or delivered, so that a
 * store never has to reject an email that a relay already accepted.
 */
public final class StoredValueLimits {

  /** The subject, given by the caller or rendered from a template. */
  public static final int SUBJECT = 1_000;

  /** The sender in its stored form: display name and address. */
  public static final int SENDER = 500;

  /** The name of the template. */
  public static final int TEMPLATE = 255;

  /** The host's own reference of the request. */
  public static final int REQUEST_ID = 255;

  /** The callback URL. */
  public static final int CALLBACK_URL = 1_000;

  /** Why an email failed or waits. */
  public static final int REASON = 1_000;

  /** A reply of a relay or of a callback receiver. */
  public static final int RESPONSE = 2_000;

  /** The reply of a relay for one recipient. */
  public static final int RECIPIENT_RESPONSE = 500;

  /** The composed message, in bytes. */
  public static final int COMPOSED_BYTES = (16 << 20) - 1;

  /** One tag. */
  public static final int TAG = 64;

  /** The number of tags. */
  public static final int TAGS = 16;

  /**
   * All recipients together, in bytes: for each one its stored form, the bare address of its result
   * and 64 bytes. With {@link #REPLIES_BYTES} and all other texts, this stays below 400 KB, the
   * size of an item in DynamoDB.
   */
  public static final int RECIPIENTS_BYTES = 200_000;

  /** The replies of a relay for all recipients together, in bytes of UTF-8. */
  public static final int REPLIES_BYTES = 150_000;

  /** What a store needs for one recipient besides its texts, in bytes. */
  static final int RECIPIENT_OVERHEAD = 64;

  private static final int MAX_BYTES_PER_CHAR = 3;
  private static final String ELLIPSIS = "\u2026";

  private StoredValueLimits() {}

  /** Returns how much of {@link #RECIPIENTS_BYTES} an email's recipients need. */
  public static long bytes(Recipients recipients) {
    return Stream.of(recipients.to(), recipients.cc(), recipients.bcc())
        .flatMap(List::stream)
        .mapToLong(StoredValueLimits::bytes)
        .sum();
  }

  private static long bytes(Address address) {
    return utf8(address.format()) + utf8(address.email()) + RECIPIENT_OVERHEAD;
  }

  private static long utf8(@Nullable String text) {
    return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
  }

  /**
   * Checks the length of a text that must not be shortened.
   *
   * @throws InvalidEmailException naming the field, if the text is too long
   */
  static void check(String field, @Nullable String text, int limit) {
    if (text != null && text.length() > limit) {
      throw new InvalidEmailException(
          field, "has %d characters, more than %d".formatted(text.length(), limit));
    }
  }

  /**
   * Returns the text if it has at most {@code limit} characters; otherwise its beginning, which
   * ends with an ellipsis. A surrogate pair is never split.
   */
  public static String shortened(String text, int limit) {
    if (text.length() <= limit) {
      return text;
    }
    int end = Math.max(0, limit - ELLIPSIS.length());
    if (end > 0 && Character.isHighSurrogate(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(0, end) + ELLIPSIS;
  }

  /** Returns the results with replies that fit, each on its own and all together. */
  static List<RecipientResult> shortened(List<RecipientResult> results) {
    List<RecipientResult> fitting = shortened(results, RECIPIENT_RESPONSE);
    return fitting.stream().mapToLong(each -> utf8(each.reply())).sum() <= REPLIES_BYTES
        ? fitting
        : shortened(results, Math.max(1, REPLIES_BYTES / MAX_BYTES_PER_CHAR / results.size()));
  }

  private static List<RecipientResult> shortened(List<RecipientResult> results, int limit) {
    return results.stream()
        .map(
            each ->
                each.reply() == null || each.reply().length() <= limit
                    ? each
                    : new RecipientResult(
                        each.recipient(), each.status(), shortened(each.reply(), limit)))
        .toList();
  }
}
