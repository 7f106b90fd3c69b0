package dev.outbox.email;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import java.util.UUID;

/**
 * The identity of one stored email: a UUID version 7, so that ids sort by the time they were made.
 *
 * <p>Ids order as their text does. Ids made by one process never go backwards; between processes
 * the order is as good as their clocks, which is enough for listing and never used for leases.
 *
 * @param value the UUID behind the id
 */
public record EmailId(UUID value) implements Comparable<EmailId> {

  private static final TimeBasedEpochGenerator GENERATOR = Generators.timeBasedEpochGenerator();

  /** Returns a new id, later than all this process made before. */
  public static EmailId next() {
    return new EmailId(GENERATOR.generate());
  }

  /**
   * Reads an id from its usual text form.
   *
   * @throws IllegalArgumentException if the text is not a UUID of 36 characters
   */
  public static EmailId parse(String text) {
    // UUID.fromString also takes short groups such as "1-1-1-1-1".
    if (text.length() != 36) {
      throw new IllegalArgumentException("id: not a UUID of 36 characters");
    }
    try {
      return new EmailId(UUID.fromString(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("id: not a UUID", e);
    }
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
