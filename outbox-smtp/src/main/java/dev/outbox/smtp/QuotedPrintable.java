package dev.outbox.smtp;

/** The quoted-printable encoding of RFC 2045, of text whose lines end in CRLF. */
final class QuotedPrintable {

  private static final byte[] HEX = {
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'
  };
  private static final byte[] SOFT_BREAK = {'=', '\r', '\n'};
  private static final byte[] FROM = {'F', 'r', 'o', 'm', ' '};
  private static final int LINE = 76;

  private QuotedPrintable() {}

  static void write(byte[] text, ByteArrayBuilder out) {
    int column = 0;
    for (int i = 0; i < text.length; i++) {
      if (isLineEnd(text, i)) {
        out.line();
        column = 0;
        i++;
        continue;
      }
      boolean escaped = isEscaped(text, i, column);
      int size = escaped ? 3 : 1;
      if (column + size > LINE - 1) {
        out.add(SOFT_BREAK);
        column = 0;
        escaped = isEscaped(text, i, column);
        size = escaped ? 3 : 1;
      }
      if (escaped) {
        out.add('=').add(HEX[(text[i] >> 4) & 0xf]).add(HEX[text[i] & 0xf]);
      } else {
        out.add(text[i]);
      }
      column += size;
    }
  }

  private static boolean isLineEnd(byte[] text, int i) {
    return text[i] == '\r' && i + 1 < text.length && text[i + 1] == '\n';
  }

  private static boolean isEscaped(byte[] text, int i, int column) {
    byte b = text[i];
    if (b == ' ' || b == '\t') {
      return i + 1 == text.length || isLineEnd(text, i + 1);
    }
    // A dot or "From " at the start of a line is mangled by some relays.
    return b < ' ' || b > '~' || b == '=' || (column == 0 && (b == '.' || isFrom(text, i)));
  }

  private static boolean isFrom(byte[] text, int i) {
    for (int k = 0; k < FROM.length; k++) {
      if (i + k >= text.length || text[i + k] != FROM[k]) {
        return false;
      }
    }
    return true;
  }
}
