package dev.outbox.smtp;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A text or html part with the encoding that suits it, never 8 bit: as it is, quoted-printable, or
 * base 64 when most of it is outside ASCII. Every kind of line end becomes CRLF.
 */
final class TextBody {

  private static final int MAX_LINE = 900;

  private final byte[] utf8;
  private final String encoding;

  TextBody(String text) {
    this.utf8 = withCrlf(text.getBytes(StandardCharsets.UTF_8));
    this.encoding = encodingOf(utf8);
  }

  String encoding() {
    return encoding;
  }

  void write(ByteBuilder out) {
    switch (encoding) {
      case "7bit" -> out.add(utf8);
      case "base64" -> out.add(Base64.getMimeEncoder().encode(utf8));
      default -> QuotedPrintable.write(utf8, out);
    }
  }

  private static byte[] withCrlf(byte[] text) {
    int loose = 0;
    for (int i = 0; i < text.length; i++) {
      if (text[i] == '\r' && i + 1 < text.length && text[i + 1] == '\n') {
        i++;
      } else if (text[i] == '\r' || text[i] == '\n') {
        loose++;
      }
    }
    if (loose == 0) {
      return text;
    }
    byte[] whole = new byte[text.length + loose];
    int at = 0;
    for (int i = 0; i < text.length; i++) {
      if (text[i] == '\r' || text[i] == '\n') {
        whole[at++] = '\r';
        whole[at++] = '\n';
        if (text[i] == '\r' && i + 1 < text.length && text[i + 1] == '\n') {
          i++;
        }
      } else {
        whole[at++] = text[i];
      }
    }
    return whole;
  }

  private static String encodingOf(byte[] text) {
    int strange = 0;
    int line = 0;
    int longest = 0;
    boolean boundaryLike = false;
    for (int i = 0; i < text.length; i++) {
      byte b = text[i];
      if (b == '\n') {
        line = 0;
      } else {
        longest = Math.max(longest, ++line);
        if ((b < ' ' && b != '\t' && b != '\r') || b == 127) {
          strange++;
        }
        // Only quoted-printable and base 64 can never hold a line that looks like a boundary.
        boundaryLike |= b == '=' && i + 1 < text.length && text[i + 1] == '_';
      }
    }
    if (strange > text.length / 4) {
      return "base64";
    }
    return strange > 0 || longest > MAX_LINE || boundaryLike ? "quoted-printable" : "7bit";
  }
}
