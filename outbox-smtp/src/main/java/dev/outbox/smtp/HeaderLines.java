package dev.outbox.smtp;

import dev.outbox.email.Address;
import java.util.ArrayList;
import java.util.List;

/**
 * The header of a message or of one of its parts, folded and encoded. A line break or NUL in a
 * value is refused here as well, whatever was checked before.
 */
final class HeaderLines {

  /** Where lines are folded if they can be; RFC 5322 wants 78. */
  private static final int FOLD = 76;

  /** What no line may exceed, with some room for the name. */
  private static final int LONGEST_WORD = 900;

  private static final int LONGEST_QUOTED = 60;
  private static final String ATOM = "!#$%&'*+-/=?^_`{|}~ ";

  private final ByteBuilder out;

  HeaderLines(ByteBuilder out) {
    this.out = out;
  }

  /** Adds a header whose value we made ourselves, in ASCII and short enough for one line. */
  HeaderLines raw(String name, String value) {
    out.add(name).add(": ").add(value).line();
    return this;
  }

  /** Adds a header with free text. */
  HeaderLines text(String name, String value) {
    checked(name, value);
    if (isPlain(value)) {
      if (name.length() + 2 + value.length() <= FOLD) {
        return raw(name, value);
      }
      return words(name, List.of(value.split(" ", -1)));
    }
    return words(name, EncodedWords.of(value));
  }

  /** Adds a header with addresses; none if there are none. */
  HeaderLines addresses(String name, List<Address> addresses) {
    if (addresses.isEmpty()) {
      return this;
    }
    List<String> words = new ArrayList<>();
    for (int i = 0; i < addresses.size(); i++) {
      Address address = addresses.get(i);
      String comma = i < addresses.size() - 1 ? "," : "";
      String email = checked(name, address.email());
      String display = address.name();
      if (display == null) {
        words.add(email + comma);
      } else {
        words.addAll(phrase(checked(name, display)));
        words.add("<" + email + ">" + comma);
      }
    }
    return words(name, words);
  }

  /** Adds an empty line, after which the body starts. */
  void end() {
    out.line();
  }

  private HeaderLines words(String name, List<String> words) {
    out.add(name).add(':');
    int column = name.length() + 1;
    boolean first = true;
    for (String word : words) {
      // An empty word stands for one space of several; a line must not start or end there.
      if (!first && !word.isEmpty() && column + 1 + word.length() > FOLD && !endsInSpace()) {
        out.line();
        column = 0;
      }
      out.add(' ').add(word);
      column += 1 + word.length();
      first = false;
    }
    out.line();
    return this;
  }

  private boolean endsInSpace() {
    return out.array()[out.length() - 1] == ' ';
  }

  private static List<String> phrase(String name) {
    if (isPlain(name) && isAtoms(name)) {
      return List.of(name.split(" ", -1));
    }
    if (isPlain(name) && name.length() <= LONGEST_QUOTED) {
      return List.of('"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + '"');
    }
    return EncodedWords.of(name);
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
    int word = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~' || (c == '=' && text.startsWith("=?", i))) {
        return false;
      }
      word = c == ' ' ? 0 : word + 1;
      if (word > LONGEST_WORD) {
        return false;
      }
    }
    return !text.isEmpty() && !text.startsWith(" ") && !text.endsWith(" ");
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
