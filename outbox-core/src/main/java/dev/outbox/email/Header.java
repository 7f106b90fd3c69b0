package dev.outbox.email;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A header that the host adds to its email.
 *
 * @param name such as {@code X-Campaign}; not one that the library writes itself
 * @param value a single line
 */
public record Header(String name, String value) {

  private static final int MAX_VALUE = 2_000;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,75}");

  private static final Set<String> OURS =
      Set.of(
          "bcc",
          "cc",
          "date",
          "dkim-signature",
          "from",
          "message-id",
          "mime-version",
          "received",
          "reply-to",
          "return-path",
          "sender",
          "subject",
          "to");

  /** Checks both, and refuses the names that the library writes itself. */
  public Header {
    if (!NAME.matcher(name).matches()) {
      throw new InvalidEmailException(
          "header", "a name that is not letters, digits, hyphens and underscores");
    }
    String lower = name.toLowerCase(Locale.ROOT);
    if (OURS.contains(lower) || lower.startsWith("content-") || lower.startsWith("resent-")) {
      throw new InvalidEmailException("header " + name, "may not be set by the host");
    }
    HeaderValidation.checked("header " + name, value, MAX_VALUE);
  }

  /** Shows the name only. */
  @Override
  public String toString() {
    return "Header[" + name + "]";
  }
}
