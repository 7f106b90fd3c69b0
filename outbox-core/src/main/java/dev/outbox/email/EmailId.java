package dev.outbox.email;

import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The identity of one stored email: a UUID version 7, so that ids sort by the time they were made.
 *
 * <p>Ids order as their text does. Ids made by one process never go backwards; between processes
 * the order is as good as their clocks, which is enough for listing and never used for leases.
 *
 * @param value the UUID behind the id
 */
public record EmailId(UUID value) implements Comparable<EmailId> {

  private static final Pattern UUID_TEXT =
      Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");
  private static final EmailIdGenerator SEQUENCE = new EmailIdGenerator(System::currentTimeMillis);

  /** Returns a new id, later than all this process made before. */
  public static EmailId next() {
    return SEQUENCE.next();
  }

  /**
   * Reads an id from its usual text form.
   *
   * @throws IllegalArgumentException if the text is not a UUID of 36 characters
   */
  public static EmailId parse(String text) {
    // UUID.fromString also takes signs and groups that are too short or too long, and quotes what
    // it refuses.
    if (!UUID_TEXT.matcher(text).matches()) {
      throw new IllegalArgumentException("id: not a UUID of 36 characters");
    }
    return new EmailId(UUID.fromString(text));
  }

  /** Compares as unsigned numbers, which is the order of the text form and of the time inside. */
  @Override
  public int compareTo(EmailId other) {
    int high =
        Long.compareUnsigned(value.getMostSignificantBits(), other.value.getMostSignificantBits());
    return high != 0
        ? high
        : Long.compareUnsigned(
            value.getLeastSignificantBits(), other.value.getLeastSignificantBits());
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
