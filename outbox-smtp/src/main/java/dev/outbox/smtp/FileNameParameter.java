package dev.outbox.smtp;

import java.nio.charset.StandardCharsets;

/** The name of an attached file as a header's parameter, by RFC 2231 where it is not plain. */
final class FileNameParameter {

  private static final int PLAIN_LENGTH = 60;
  private static final int SEGMENT = 60;
  private static final String UNESCAPED =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._";

  private FileNameParameter() {}

  /** Returns what follows the header's first value, beginning with a semicolon. */
  static String parameter(String name) {
    HeaderWriter.checked("attachment.fileName", name);
    String quoted = HeaderWriter.quoted(name);
    if (isPlain(name) && quoted.length() <= PLAIN_LENGTH + 2) {
      return ";\r\n filename=" + quoted;
    }
    StringBuilder all = new StringBuilder();
    StringBuilder segment = new StringBuilder("UTF-8''");
    int number = 0;
    for (int i = 0; i < name.length(); ) {
      int next = name.offsetByCodePoints(i, 1);
      String character = encoded(name.substring(i, next));
      // RFC 2231 allows a cut inside a character, but many readers decode each segment by itself.
      if (segment.length() + character.length() > SEGMENT) {
        all.append(";\r\n filename*").append(number++).append("*=").append(segment);
        segment.setLength(0);
      }
      segment.append(character);
      i = next;
    }
    return number == 0
        ? ";\r\n filename*=" + segment
        : all.append(";\r\n filename*").append(number).append("*=").append(segment).toString();
  }

  private static boolean isPlain(String name) {
    // Some readers take two apostrophes for the end of RFC 2231's charset and language.
    return HeaderWriter.isPlain(name) && name.indexOf('\'') == name.lastIndexOf('\'');
  }

  private static String encoded(String character) {
    if (UNESCAPED.contains(character)) {
      return character;
    }
    StringBuilder octets = new StringBuilder();
    for (byte b : character.getBytes(StandardCharsets.UTF_8)) {
      octets.append("%%%02X".formatted(b & 0xff));
    }
    return octets.toString();
  }
}
