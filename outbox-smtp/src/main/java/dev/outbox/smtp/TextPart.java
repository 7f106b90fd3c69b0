package dev.outbox.smtp;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A text or html part with the encoding that suits it, never 8 bit: as it is, quoted-printable, or
 * base 64 when much of it is outside ASCII. Every kind of line end becomes CRLF.
 */
final class TextPart {

  private static final int MAX_LINE = 900;

  /** The bytes that say something about the encoding; all others are looked at once. */
  private static final boolean[] TELLING = new boolean[256];

  static {
    for (int i = 0; i < 256; i++) {
      TELLING[i] = i < ' ' || i > '~' || i == '=';
    }
    TELLING['\t'] = false;
  }

  private final byte[] utf8;
  private int strange;
  private int longestLine;
  private boolean boundaryLike;

  TextPart(String text) {
    this.utf8 = withCrlf(text).getBytes(StandardCharsets.UTF_8);
    inspect();
  }

  private static String withCrlf(String text) {
    String lines = text.indexOf('\r') < 0 ? text : text.replace("\r\n", "\n").replace('\r', '\n');
    return lines.replace("\n", "\r\n");
  }

  String encoding() {
    if (strange > utf8.length / 4) {
      return "base64";
    }
    boolean asItIs = strange == 0 && longestLine <= MAX_LINE && !boundaryLike;
    return asItIs ? "7bit" : "quoted-printable";
  }

  void write(ByteArrayBuilder out) {
    switch (encoding()) {
      case "7bit" -> out.add(utf8);
      case "base64" -> out.add(Base64.getMimeEncoder().encode(utf8));
      default -> QuotedPrintable.write(utf8, out);
    }
  }

  private void inspect() {
    int lineStart = 0;
    for (int i = nextTelling(0); i < utf8.length; i = nextTelling(i + 1)) {
      byte b = utf8[i];
      if (b == '\r') {
        longestLine = Math.max(longestLine, i - lineStart);
        i++;
        lineStart = i + 1;
      } else if (b == '=') {
        // Only quoted-printable and base 64 can never hold a line that looks like a boundary.
        boundaryLike |= follows(i, '_');
      } else {
        strange++;
      }
    }
    longestLine = Math.max(longestLine, utf8.length - lineStart);
  }

  /** Skips what says nothing, eight bytes at a time. */
  private int nextTelling(int from) {
    int i = from;
    while (i + 8 <= utf8.length) {
      long eight = ByteScan.at(utf8, i);
      if (ByteScan.anyOutsideAscii(eight)
          || ByteScan.anyBelow(eight, ' ')
          || ByteScan.any(eight, '=')
          || ByteScan.any(eight, 127)) {
        break;
      }
      i += 8;
    }
    while (i < utf8.length && !TELLING[utf8[i] & 0xff]) {
      i++;
    }
    return i;
  }

  private boolean follows(int i, char next) {
    return i + 1 < utf8.length && utf8[i + 1] == next;
  }
}
