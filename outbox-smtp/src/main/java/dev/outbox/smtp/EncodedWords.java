package dev.outbox.smtp;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Text outside ASCII in a header, as the encoded words of RFC 2047, in UTF-8 and base 64. */
final class EncodedWords {

  private static final String START = "=?UTF-8?B?";
  private static final String END = "?=";

  /** A word has at most 75 characters, so that this many bytes fit into its base 64. */
  private static final int MAX_BYTES = (75 - START.length() - END.length()) / 4 * 3;

  private EncodedWords() {}

  /** Returns words that, read one after the other, give the text; no character is cut in two. */
  static List<String> of(String text) {
    List<String> words = new ArrayList<>();
    int start = 0;
    int bytes = 0;
    for (int i = 0; i < text.length(); ) {
      int point = text.codePointAt(i);
      int size = utf8Size(point);
      if (bytes + size > MAX_BYTES) {
        words.add(word(text.substring(start, i)));
        start = i;
        bytes = 0;
      }
      bytes += size;
      i += Character.charCount(point);
    }
    words.add(word(text.substring(start)));
    return words;
  }

  private static String word(String text) {
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
