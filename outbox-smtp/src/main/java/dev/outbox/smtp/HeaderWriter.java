package dev.outbox.smtp;

import dev.outbox.email.Address;
import java.util.List;

/**
 * The header of a message or of one of its parts, folded and encoded. A line break or NUL in a
 * value is refused here as well, whatever was checked before.
 */
final class HeaderWriter {

  /** The longest text that stays on one line; RFC 5322 allows 998, and the name needs room. */
  private static final int LONGEST_WORD = 900;

  private static final int LONGEST_QUOTED = 60;
  private static final String ATOM = "!#$%&'*+-/=?^_`{|}~ ";

  private final ByteArrayBuilder out;

  HeaderWriter(ByteArrayBuilder out) {
    this.out = out;
  }

  /** Adds a header whose value we made ourselves, in ASCII and short enough for one line. */
  HeaderWriter raw(String name, String value) {
    out.add(name).add(": ").add(value).line();
    return this;
  }

  /** Adds a header with a value in ASCII and without spaces, on a line of its own if it is long. */
  HeaderWriter token(String name, String value) {
    checked(name, value);
    if (fitsOneLine(name, value)) {
      return raw(name, value);
    }
    new FoldedHeader(out, name).word(value).end();
    return this;
  }

  /** Adds a header with free text. */
  HeaderWriter text(String name, String value) {
    checked(name, value);
    boolean plain = isPlain(value);
    if (plain && fitsOneLine(name, value)) {
      return raw(name, value);
    }
    FoldedHeader header = new FoldedHeader(out, name);
    if (plain) {
      writeWords(header, value);
    } else {
      header.encoded(value);
    }
    header.end();
    return this;
  }

  /** Adds a header with addresses; none if there are none. */
  HeaderWriter addresses(String name, List<Address> addresses) {
    if (addresses.isEmpty()) {
      return this;
    }
    FoldedHeader header = new FoldedHeader(out, name);
    for (int i = 0; i < addresses.size(); i++) {
      Address address = addresses.get(i);
      String comma = i < addresses.size() - 1 ? "," : "";
      String email = checked(name, address.email());
      String display = address.name();
      if (display == null) {
        header.word(email + comma);
      } else {
        phrase(header, checked(name, display));
        header.word("<" + email + ">" + comma);
      }
    }
    header.end();
    return this;
  }

  private static boolean fitsOneLine(String name, String value) {
    return name.length() + 2 + value.length() <= FoldedHeader.LINE;
  }

  private static void writeWords(FoldedHeader header, String text) {
    for (String word : text.split(" ", -1)) {
      header.word(word);
    }
  }

  private static void phrase(FoldedHeader header, String name) {
    if (!isPlain(name)) {
      header.encoded(name);
      return;
    }
    if (isAtoms(name)) {
      writeWords(header, name);
      return;
    }
    String quoted = quoted(name);
    if (quoted.length() <= LONGEST_QUOTED + 2) {
      header.word(quoted);
    } else {
      header.encoded(name);
    }
  }

  /** Returns a text as a quoted string, with a backslash before quotes and backslashes. */
  static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static boolean isAtoms(String name) {
    int word = 0;
    for (int i = 0; i < name.length(); i++) {
      word = name.charAt(i) == ' ' ? 0 : word + 1;
      if (!isAtomOrSpace(name.charAt(i)) || word > LONGEST_QUOTED) {
        return false;
      }
    }
    return !name.contains("  ");
  }

  private static boolean isAtomOrSpace(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || ATOM.indexOf(c) >= 0;
  }

  /** Whether a reader would take the text for what it is; {@code =?} could start encoded words. */
  static boolean isPlain(String text) {
    int unfolded = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~' || (c == '=' && text.startsWith("=?", i))) {
        return false;
      }
      unfolded = isSingleSpace(text, i) ? 0 : unfolded + 1;
      if (unfolded > LONGEST_WORD) {
        return false;
      }
    }
    return !text.isEmpty() && !text.startsWith(" ") && !text.endsWith(" ");
  }

  /**
   * Whether a line can be folded here: a line must not end, nor start, in one of several spaces.
   */
  private static boolean isSingleSpace(String text, int i) {
    return text.charAt(i) == ' '
        && (i == 0 || text.charAt(i - 1) != ' ')
        && (i + 1 == text.length() || text.charAt(i + 1) != ' ');
  }

  static String checked(String name, String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '\r' || c == '\n' || c == 0) {
        throw new IllegalArgumentException(name + ": holds a line break or NUL");
      }
    }
    return value;
  }
}
