package dev.outbox.javalin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outbox.email.Address;
import dev.outbox.email.AddressesAndSubject;
import dev.outbox.email.EmailSummary;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Hides addresses from those who may not see them: the domain stays, because trouble often has to
 * do with it, and so does the first letter. Relays like to quote addresses, or what stands before
 * the at sign, so every text that may contain a relay's reply is gone through as well: reason,
 * response and detail.
 *
 * @param shows whether nothing is hidden
 * @param locals what stands before the at sign in the addresses that a text may quote
 */
record AddressMasking(boolean shows, List<String> locals) {

  /**
   * Anything around an at sign, as generous as needed to miss none. The domain may be missing: a
   * stored text has a longest length and may end at the at sign.
   */
  static final Pattern ADDRESS =
      Pattern.compile("([^\\s@<>()\\[\\]\",;:])[^\\s@<>()\\[\\]\",;:]*@([^\\s@<>()\\[\\]\",;:]*)");

  /** An address in angle brackets that is cut off before its at sign. */
  static final Pattern CUT_ADDRESS = Pattern.compile("<[^\\s@<>]+$");

  static AddressMasking of(AccessRole access) {
    return new AddressMasking(access.seesPersonalData(), List.of());
  }

  /** Returns what stands before the at sign in the addresses of an email's recipients. */
  static List<String> locals(EmailSummary email) {
    AddressesAndSubject addressesAndSubject = email.addressesAndSubject();
    return addressesAndSubject == null
        ? List.of()
        : addressesAndSubject.recipients().all().stream().map(Address::local).distinct().toList();
  }

  /** Finds a name where it stands alone, in capital letters or not. */
  static Pattern alone(String local) {
    return Pattern.compile(
        "(?<![\\w@])" + Pattern.quote(local) + "(?![\\w@])",
        Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
  }

  AddressMasking about(EmailSummary email) {
    return shows ? this : new AddressMasking(false, locals(email));
  }

  ObjectNode address(Address address) {
    ObjectNode json = Json.object().put("address", text(address.email()));
    if (shows && address.name() != null) {
      json.put("name", address.name());
    }
    return json;
  }

  String text(String text) {
    if (shows) {
      return text;
    }
    String masked = ADDRESS.matcher(text).replaceAll("$1***@$2");
    masked = CUT_ADDRESS.matcher(masked).replaceAll("<***");
    for (String local : locals) {
      String first = Matcher.quoteReplacement(local.substring(0, local.offsetByCodePoints(0, 1)));
      masked = alone(local).matcher(masked).replaceAll(first + "***");
    }
    return masked;
  }

  @Nullable String textOrNull(@Nullable String text) {
    return text == null ? null : text(text);
  }
}
