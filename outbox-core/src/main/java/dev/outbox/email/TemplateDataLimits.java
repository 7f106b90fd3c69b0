package dev.outbox.email;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * The limits of template data, the same for writing and reading, so that whatever was accepted can
 * be read back.
 */
final class TemplateDataLimits {

  static final int DEPTH = 32;
  static final int CHARS = 16 * 1024 * 1024;
  static final int KEY = 1000;
  static final int DIGITS = 1000;

  private static final BigInteger TOO_MANY_DIGITS = BigInteger.TEN.pow(DIGITS);

  private TemplateDataLimits() {}

  static @Nullable String problemOf(String text) {
    if (text.length() > CHARS) {
      return "is longer than " + CHARS + " characters";
    }
    // half a surrogate pair has no UTF-8 form: it would be stored as a question mark
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        if (i + 1 == text.length() || !Character.isSurrogatePair(c, text.charAt(i + 1))) {
          return "has half a surrogate pair";
        }
        i++;
      }
    }
    return null;
  }

  static @Nullable String problemOfKey(String key) {
    return key.length() > KEY ? "has a key longer than " + KEY + " characters" : problemOf(key);
  }

  static @Nullable String problemOf(BigInteger number) {
    return number.abs().compareTo(TOO_MANY_DIGITS) < 0 ? null : tooManyDigits();
  }

  // 1E+999999999 is short as JSON and a gigabyte when a template prints it
  static @Nullable String problemOf(BigDecimal number) {
    // its digits are counted last: to count millions of them takes seconds
    boolean fits =
        number.scale() <= DIGITS
            && number.scale() >= -DIGITS
            && number.unscaledValue().bitLength() <= TOO_MANY_DIGITS.bitLength()
            && number.precision() <= DIGITS;
    return fits ? null : tooManyDigits();
  }

  private static String tooManyDigits() {
    return "has more than " + DIGITS + " digits";
  }
}
