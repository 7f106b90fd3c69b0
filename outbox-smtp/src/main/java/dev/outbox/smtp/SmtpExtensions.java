package dev.outbox.smtp;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The service extensions that a relay named in its reply to EHLO. Immutable. */
final class SmtpExtensions {

  static final SmtpExtensions NONE = new SmtpExtensions(Map.of());

  private final Map<String, String> parameters;

  private SmtpExtensions(Map<String, String> parameters) {
    this.parameters = parameters;
  }

  /** Reads the lines of a reply to EHLO, of which the first is a greeting. */
  static SmtpExtensions of(String reply) {
    Map<String, String> parameters = new HashMap<>();
    List<String> lines = reply.lines().skip(1).filter(line -> line.length() > 4).toList();
    for (String line : lines) {
      String[] words = line.substring(4).split(" ", 2);
      parameters.put(upper(words[0]), words.length > 1 ? words[1] : "");
    }
    return new SmtpExtensions(Map.copyOf(parameters));
  }

  boolean offers(String name) {
    return parameters.containsKey(upper(name));
  }

  /** Returns what follows the name of an extension; null if the relay does not offer it. */
  @Nullable String parameter(String name) {
    return parameters.get(upper(name));
  }

  boolean offersLogin(String mechanism) {
    String mechanisms = parameter("AUTH");
    if (mechanisms == null) {
      return false;
    }
    // Some relays write AUTH=LOGIN for old clients, and leave LOGIN out of the list.
    return Arrays.asList(upper(mechanisms).trim().split("\\s+")).contains(upper(mechanism))
        || (mechanism.equalsIgnoreCase("LOGIN") && offers("AUTH=LOGIN"));
  }

  private static String upper(String text) {
    return text.toUpperCase(Locale.ROOT);
  }
}
