package dev.outbox.javalin;

import dev.outbox.javalin.LimitExceededException.Subject;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The bytes of JSON in a request, up to a limit. It also ends within a number that is too long,
 * because Jackson reads a number to its end before it measures it.
 */
final class LimitedInput extends FilterInputStream {

  /** Some more than the limit, for sign, point and exponent; Jackson knows the exact limit. */
  private static final int LONGEST_NUMBER = JsonLimits.NUMBER + 10;

  private final int limit;
  private long left;
  private boolean isInText;
  private boolean isEscaped;
  private int numberLength;

  LimitedInput(InputStream in, int limit) {
    super(in);
    this.limit = limit;
    this.left = limit;
  }

  static LimitExceededException tooLong(int limit) {
    return new LimitExceededException(Subject.BODY, "more than %d bytes".formatted(limit));
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  /**
   * Reads some bytes, in a long number no more than are needed to know that it is one: the parser
   * thereby gets all that comes before, and knows the place.
   */
  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (numberLength > LONGEST_NUMBER) {
      throw JsonLimits.longNumber();
    }
    int count = in.read(bytes, offset, (int) Math.min(length, left + 1));
    if (count <= 0) {
      return count;
    }
    left -= count;
    if (left < 0) {
      throw tooLong(limit);
    }
    for (int i = 0; i < count; i++) {
      follow(bytes[offset + i]);
      if (numberLength > LONGEST_NUMBER) {
        return i + 1;
      }
    }
    return count;
  }

  private void follow(byte next) {
    if (isInText) {
      isInText = isEscaped || next != '"';
      isEscaped = !isEscaped && next == '\\';
    } else {
      isInText = next == '"';
      numberLength = isPartOfNumber(next) ? numberLength + 1 : 0;
    }
  }

  private static boolean isPartOfNumber(byte next) {
    return (next >= '0' && next <= '9')
        || next == '.'
        || next == '-'
        || next == '+'
        || next == 'e'
        || next == 'E';
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  @Override
  public long skip(long count) {
    throw new UnsupportedOperationException("bytes that are skipped would not be checked");
  }
}
