package dev.outbox.smtp;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * What a relay answered to one command.
 *
 * @param code the three digits; below 200 if there were none, or the connection ended
 * @param status the enhanced status, such as {@code 4.7.1}; empty if there is none
 * @param text all of it on one line, for the history; never for the log
 */
record SmtpReply(int code, String status, String text) {

  private static final int MAX_TEXT = 500;

  /** Returns the code that a reply starts with; -1 if it starts with something else. */
  static int code(String lines) {
    int code = 0;
    for (int i = 0; i < 3; i++) {
      if (i >= lines.length() || !isDigit(lines.charAt(i))) {
        return -1;
      }
      code = 10 * code + lines.charAt(i) - '0';
    }
    return code;
  }

  /** Makes a reply of its lines, of which each character is a byte. */
  static SmtpReply of(int code, String lines) {
    return new SmtpReply(code, status(lines), oneLine(lines));
  }

  boolean is2xx() {
    return code / 100 == 2;
  }

  boolean is3xx() {
    return code / 100 == 3;
  }

  boolean is4xx() {
    return code / 100 == 4;
  }

  boolean is5xx() {
    return code / 100 == 5;
  }

  /** Returns code and status, which may be logged. */
  @Override
  public String toString() {
    return status.isEmpty() ? String.valueOf(code) : code + " " + status;
  }

  /**
   * Reads {@code 2.1.5} out of {@code 250 2.1.5 ok}; done by hand, for each answer of each email.
   */
  private static String status(String lines) {
    int start = 4;
    int dots = 0;
    int end = start;
    while (end < lines.length() && (isDigit(lines.charAt(end)) || lines.charAt(end) == '.')) {
      dots += lines.charAt(end) == '.' ? 1 : 0;
      end++;
    }
    boolean found =
        dots == 2
            && "245".indexOf(lines.charAt(start)) >= 0
            && lines.charAt(start + 1) == '.'
            && isDigit(lines.charAt(start + 2))
            && isDigit(lines.charAt(end - 1));
    return found ? lines.substring(start, end) : "";
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < ' ' || text.charAt(i) > '~') {
        return false;
      }
    }
    return text.length() <= MAX_TEXT;
  }

  private static String oneLine(String lines) {
    String plain = lines.strip();
    if (isPlain(plain)) {
      return plain;
    }
    StringBuilder text = new StringBuilder();
    decoded(lines)
        .strip()
        .codePoints()
        .limit(MAX_TEXT)
        .map(c -> Character.isISOControl(c) ? ' ' : c)
        .forEach(text::appendCodePoint);
    return text.toString();
  }

  private static String decoded(String latin1) {
    try {
      byte[] bytes = latin1.getBytes(StandardCharsets.ISO_8859_1);
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return latin1;
    }
  }
}
