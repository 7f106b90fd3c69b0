package dev.outbox.smtp;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** The encoded words of RFC 2047 in UTF-8 and base 64: header text that is not plain ASCII. */
final class EncodedWords {

  private static final String START = "=?UTF-8?B?";
  private static final String END = "?=";
  private static final int FRAME = START.length() + END.length();

  /** The room that an encoded word of one character needs at most: four bytes of UTF-8. */
  static final int SMALLEST = FRAME + 8;

  private EncodedWords() {}

  /** Returns the length of one encoded word with all of a text. */
  static int length(String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); i = text.offsetByCodePoints(i, 1)) {
      bytes += utf8Size(text.codePointAt(i));
    }
    return FRAME + (bytes + 2) / 3 * 4;
  }

  /**
   * Returns the end of the longest part of a text that fits into one encoded word. The end is
   * between two characters, never inside a surrogate pair.
   *
   * @param start the index of the part's first character
   * @param room the length that the encoded word may have; at least {@link #SMALLEST}
   */
  static int end(String text, int start, int room) {
    int bytes = (room - FRAME) / 4 * 3;
    int end = start;
    while (end < text.length()) {
      int point = text.codePointAt(end);
      bytes -= utf8Size(point);
      if (bytes < 0) {
        break;
      }
      end += Character.charCount(point);
    }
    return end;
  }

  /** Returns a text as one encoded word, whatever its length. */
  static String word(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return START + Base64.getEncoder().encodeToString(utf8) + END;
  }

  private static int utf8Size(int point) {
    if (point < 0x80) {
      return 1;
    }
    if (point < 0x800) {
      return 2;
    }
    return point < 0x10000 ? 3 : 4;
  }
}
