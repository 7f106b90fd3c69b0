package dev.outbox.smtp;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a relay answered to one command.
 *
 * @param code the three digits; below 200 if there were none, or the connection ended
 * @param status the enhanced status, such as {@code 4.7.1}; empty if there is none
 * @param text all of it on one line, for the history; never for the log
 */
record Reply(int code, String status, String text) {

  private static final int MAX_TEXT = 500;
  private static final Pattern STATUS =
      Pattern.compile("\\d{3}[ -]([245]\\.\\d{1,3}\\.\\d{1,3})\\b");

  /** Reads what angus has read, of which each byte is a character. */
  static Reply of(int code, String lines) {
    Matcher status = STATUS.matcher(lines);
    return new Reply(code, status.lookingAt() ? status.group(1) : "", oneLine(lines));
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

  private static String oneLine(String lines) {
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
