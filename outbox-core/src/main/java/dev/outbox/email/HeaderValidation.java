package dev.outbox.email;

import org.jspecify.annotations.Nullable;

/**
 * The checks that keep line breaks and other control characters out of all header material, and
 * half surrogate pairs, which have no UTF-8 form, out of every text.
 */
final class HeaderValidation {

  private HeaderValidation() {}

  /**
   * Returns the text as it is.
   *
   * @throws InvalidEmailException if it holds a character that could end or hide a header line
   */
  static String checked(String field, @Nullable String text) {
    if (text == null) {
      throw new InvalidEmailException(field, "is null");
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '\t' && (Character.isISOControl(c) || isLineSeparator(c))) {
        throw new InvalidEmailException(
            field, "control character U+%04X at position %d".formatted((int) c, i));
      }
    }
    return wellFormed(field, text);
  }

  /** Like {@link #checked}, and refuses text that is blank or longer than allowed. */
  static String checked(String field, @Nullable String text, int maxLength) {
    if (text == null) {
      throw new InvalidEmailException(field, "is null");
    }
    if (text.isBlank()) {
      throw new InvalidEmailException(field, "is blank");
    }
    if (text.length() > maxLength) {
      throw new InvalidEmailException(
          field, "has %d characters, more than %d".formatted(text.length(), maxLength));
    }
    return checked(field, text);
  }

  /**
   * Returns the text as it is.
   *
   * @throws InvalidEmailException if it cannot be stored as UTF-8
   */
  static String wellFormed(String field, String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (i + 1 == text.length()
            || !Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1))) {
          throw new InvalidEmailException(field, "half a surrogate pair at position " + i);
        }
        i++;
      }
    }
    return text;
  }

  private static boolean isLineSeparator(char c) {
    return c == '\u2028' || c == '\u2029';
  }
}
