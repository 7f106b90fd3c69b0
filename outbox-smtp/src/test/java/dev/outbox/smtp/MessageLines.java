package dev.outbox.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;

/** Checks of the lines of a message, as bytes. */
final class MessageLines {

  /** The start of every encoded word that we write. */
  static final String ENCODED = "=?UTF-8?";

  private MessageLines() {}

  /** Every line ends in CRLF and has at most 998 bytes; RFC 5322 (2.1.1). */
  static void assertSendable(byte[] message) {
    assertThat(latin1(message).replace("\r\n", "")).doesNotContain("\r").doesNotContain("\n");
    assertThat(latin1(message).lines()).allMatch(line -> line.length() <= 998);
  }

  /**
   * Every line of a header has at most 76 characters if it has encoded words (RFC 2047), else at
   * most 78, unless it is one word that cannot be cut.
   */
  static void assertFolded(String headers) {
    for (String line : headers.split("\r\n", -1)) {
      boolean encoded = line.contains(ENCODED);
      if (line.length() > (encoded ? 76 : 78) && (encoded || !isOneLongWord(line))) {
        throw new AssertionError("a line of %d characters: %s".formatted(line.length(), line));
      }
      for (String word : line.strip().split(" ", -1)) {
        if (word.contains(ENCODED) && word.length() > 75) {
          throw new AssertionError("an encoded word of %d characters".formatted(word.length()));
        }
      }
    }
  }

  private static boolean isOneLongWord(String line) {
    String value = line.replaceFirst("^[^ :]+:", "").strip();
    return !value.contains(" ") && value.length() > 75;
  }

  /** Returns the header of a message and those of its parts. */
  static String headers(byte[] message) {
    StringBuilder headers = new StringBuilder();
    boolean header = true;
    for (String line : latin1(message).split("\r\n", -1)) {
      header = line.startsWith("--=_") || (header && !line.isEmpty());
      if (header) {
        headers.append(line).append("\r\n");
      }
    }
    return headers.toString();
  }

  private static String latin1(byte[] message) {
    return new String(message, StandardCharsets.ISO_8859_1);
  }
}
