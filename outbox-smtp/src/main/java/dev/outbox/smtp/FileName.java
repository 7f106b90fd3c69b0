package dev.outbox.smtp;

import java.nio.charset.StandardCharsets;

/** The name of an attached file as a header's parameter, by RFC 2231 where it is not plain. */
final class FileName {

  private static final int PLAIN_LENGTH = 60;
  private static final int PIECE = 60;
  private static final String UNESCAPED =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._";

  private FileName() {}

  /** Returns what follows the header's first value, beginning with a semicolon. */
  static String parameter(String name) {
    HeaderLines.checked("attachment.fileName", name);
    if (HeaderLines.isPlain(name) && name.length() <= PLAIN_LENGTH) {
      return ";\r\n filename=\"" + name.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
    StringBuilder all = new StringBuilder();
    StringBuilder piece = new StringBuilder("UTF-8''");
    int number = 0;
    for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
      String octet =
          UNESCAPED.indexOf(b) >= 0 ? String.valueOf((char) b) : "%%%02X".formatted(b & 0xff);
      if (piece.length() + octet.length() > PIECE) {
        all.append(";\r\n filename*").append(number++).append("*=").append(piece);
        piece.setLength(0);
      }
      piece.append(octet);
    }
    return number == 0
        ? ";\r\n filename*=" + piece
        : all.append(";\r\n filename*").append(number).append("*=").append(piece).toString();
  }
}
