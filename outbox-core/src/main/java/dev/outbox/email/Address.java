package dev.outbox.email;

import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An email address with an optional display name.
 *
 * <p>The check is conservative: a plain local part, {@code @}, and a domain of at least two labels.
 * Quoted local parts, comments, routes and address literals are legal on paper and refused here. An
 * international domain is kept in its ASCII form; letters outside ASCII in the local part are
 * accepted and need a relay that offers SMTPUTF8.
 *
 * <p>New emails cannot have some addresses that are legal, because servers give their local parts a
 * second meaning: those with {@code %} or {@code !}, which old routing rules relay to another host;
 * those with {@code |} or with {@code /} at the start, which name a program or a file; those with
 * {@code =?}, which starts an encoded word. {@link #parse(String)} and {@link Email} reject them.
 * {@link #stored} reads them, so that emails of an earlier release can be shown, found and sent.
 *
 * @param name the display name, or null
 * @param local what stands before the {@code @}, as given
 * @param domain the domain in lower-case ASCII ({@code xn--} where international)
 */
public record Address(@Nullable String name, String local, String domain) {

  private static final int MAX_NAME = 200;
  private static final int MAX_LOCAL_BYTES = 64;
  private static final int MAX_BYTES = 254;
  private static final int MAX_LABEL = 63;
  private static final String ATEXT = "!#$%&'*+-/=?^_`{|}~";

  private static final String SEVERAL =
      "more than one @; if these are several addresses, give each as a text of its own";

  /** What tells names, addresses and lists apart; without quotes it cannot be part of a name. */
  private static final String SPECIALS = "\"\\,;:<>()[]@";

  /** IDNA 2003 (the JDK's) maps these to other domains than today's registries do. */
  private static final String DEVIATING = "\u00df\u1e9e\u03c2\u200c\u200d";

  /** Checks every part. */
  public Address {
    if (name != null) {
      HeaderValidation.checked("name", name, MAX_NAME);
    }
    checkLocal(local);
    domain = asciiDomain(domain);
    if (utf8Length(local) + 1 + domain.length() > MAX_BYTES) {
      throw refused("more than " + MAX_BYTES + " bytes in all");
    }
  }

  /**
   * Reads {@code ada@example.com} or {@code Ada Lovelace <ada@example.com>}. A name with any of
   * {@code " \ , ; : < > ( ) [ ] @} in it must be quoted, as in {@code "Lovelace, Ada"
   * <ada@example.com>}; a list of addresses is refused.
   *
   * @throws InvalidEmailException naming the field {@code address}
   */
  public static Address parse(String text) {
    return parse("address", text);
  }

  /**
   * Reads an address on behalf of a field.
   *
   * @param field how the refusal names the place, such as {@code to[2]}
   * @throws InvalidEmailException naming that field
   */
  public static Address parse(String field, String text) {
    Address address = stored(field, text);
    address.checkUsable(field);
    return address;
  }

  /**
   * Reads an address for a store or a search: as {@link #parse(String, String)}, but accepts legal
   * addresses that new emails cannot have.
   *
   * @param field how the refusal names the place
   * @throws InvalidEmailException naming that field
   */
  public static Address stored(String field, String text) {
    // before anything is stripped: a line break at the end is refused too, and not repaired
    String trimmed = HeaderValidation.checked(field, text).strip();
    try {
      if (!trimmed.endsWith(">")) {
        return bare(trimmed);
      }
      int open = trimmed.lastIndexOf('<');
      if (open < 0) {
        throw refused("a > without a < before the address");
      }
      String name = nameIn(trimmed.substring(0, open).strip());
      return ofParts(
          name.isEmpty() ? null : name, trimmed.substring(open + 1, trimmed.length() - 1));
    } catch (InvalidEmailException e) {
      throw new InvalidEmailException(field, e.problem());
    }
  }

  /**
   * Rejects addresses that new emails cannot have.
   *
   * @throws InvalidEmailException naming the field with the index of the address
   */
  static void checkUsable(String field, List<Address> addresses) {
    for (int i = 0; i < addresses.size(); i++) {
      if (addresses.get(i).secondMeaning() != null) {
        addresses.get(i).checkUsable("%s[%d]".formatted(field, i));
      }
    }
  }

  void checkUsable(String field) {
    String problem = secondMeaning();
    if (problem != null) {
      throw new InvalidEmailException(field, refused(problem).problem());
    }
  }

  /** Returns what some servers take the local part for; null if it is a plain mailbox. */
  private @Nullable String secondMeaning() {
    if (local.startsWith("/") || local.indexOf('|') >= 0) {
      return "a / at the start or a |, which some servers take for a file or a program";
    }
    if (local.indexOf('%') >= 0 || local.indexOf('!') >= 0) {
      return "a % or ! before the @, which some servers take for a route to another host";
    }
    return local.contains("=?") ? "=? before the @, which starts an encoded word" : null;
  }

  /** Returns the bare address, without the display name. */
  public String email() {
    return local + "@" + domain;
  }

  /** Returns the form under which two spellings of one mailbox are taken to be the same. */
  public String canonical() {
    return email().toLowerCase(Locale.ROOT);
  }

  /** Returns the form that {@link #parse(String)} reads back to an equal address. */
  public String format() {
    return name == null
        ? email()
        : '"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + "\" <" + email() + '>';
  }

  /** Shows that there is an address, and not which. */
  @Override
  public String toString() {
    return "Address[hidden]";
  }

  private static Address bare(String text) {
    if (text.indexOf('@') != text.lastIndexOf('@')) {
      throw refused(SEVERAL);
    }
    if (text.indexOf('<') >= 0) {
      throw refused("a < without a > at the end");
    }
    return ofParts(null, text);
  }

  private static Address ofParts(@Nullable String name, String email) {
    int at = email.lastIndexOf('@');
    if (at < 0) {
      throw refused("no @");
    }
    return new Address(name, email.substring(0, at), email.substring(at + 1));
  }

  private static String nameIn(String phrase) {
    if (phrase.startsWith("\"")) {
      return unquoted(phrase);
    }
    if (phrase.indexOf('@') >= 0) {
      throw refused(SEVERAL);
    }
    if (phrase.chars().anyMatch(c -> SPECIALS.indexOf(c) >= 0)) {
      throw refused("a name with one of " + SPECIALS + " has to be in double quotes");
    }
    return phrase;
  }

  private static String unquoted(String phrase) {
    StringBuilder plain = new StringBuilder(phrase.length());
    int i = 1;
    while (i < phrase.length() && phrase.charAt(i) != '"') {
      if (phrase.charAt(i) == '\\') {
        i++;
      }
      if (i < phrase.length()) {
        plain.append(phrase.charAt(i));
      }
      i++;
    }
    if (i != phrase.length() - 1) {
      throw refused("a quoted name that does not end before the <");
    }
    return plain.toString();
  }

  private static void checkLocal(String local) {
    if (local.isEmpty()) {
      throw refused("nothing before the @");
    }
    if (utf8Length(local) > MAX_LOCAL_BYTES) {
      throw refused("more than " + MAX_LOCAL_BYTES + " bytes before the @");
    }
    if (local.startsWith(".") || local.endsWith(".") || local.contains("..")) {
      throw refused("a misplaced dot before the @");
    }
    if (local.startsWith("-")) {
      throw refused("starts with a hyphen");
    }
    for (int i = 0; i < local.length(); i = local.offsetByCodePoints(i, 1)) {
      int c = local.codePointAt(i);
      if (!Character.isLetterOrDigit(c) && c != '.' && ATEXT.indexOf(c) < 0) {
        throw refused("character U+%04X before the @".formatted(c));
      }
    }
  }

  private static String asciiDomain(String domain) {
    String ascii = isPlain(domain) ? domain.toLowerCase(Locale.ROOT) : idnToAscii(domain);
    int lastDot = ascii.lastIndexOf('.');
    if (lastDot <= 0 || lastDot == ascii.length() - 1) {
      throw refused("a domain without a dot inside");
    }
    if (isNumber(ascii.substring(lastDot + 1))) {
      throw refused("a domain that ends in a number");
    }
    for (String label : ascii.split("\\.", -1)) {
      if (label.isEmpty() || label.startsWith("-") || label.endsWith("-")) {
        throw refused("a domain with an empty or hyphen-edged label");
      }
      if (label.length() > MAX_LABEL) {
        throw refused("a domain that cannot be");
      }
    }
    return ascii;
  }

  private static boolean isNumber(String label) {
    for (int i = 0; i < label.length(); i++) {
      if (!Character.isDigit(label.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  /** Whether a domain is letters, digits, hyphens and dots of ASCII, as nearly all are. */
  private static boolean isPlain(String domain) {
    for (int i = 0; i < domain.length(); i++) {
      char c = domain.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (!letter && (c < '0' || c > '9') && c != '.' && c != '-') {
        return false;
      }
    }
    return true;
  }

  private static String idnToAscii(String domain) {
    if (domain.codePoints().anyMatch(c -> DEVIATING.indexOf(c) >= 0)) {
      throw refused("a domain letter with two readings; write the domain in its xn-- form");
    }
    try {
      return IDN.toASCII(domain, IDN.USE_STD3_ASCII_RULES).toLowerCase(Locale.ROOT);
    } catch (IllegalArgumentException e) {
      throw refused("a domain that cannot be");
    }
  }

  private static int utf8Length(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static InvalidEmailException refused(String problem) {
    return new InvalidEmailException("address", "not a usable address: " + problem);
  }
}
