package dev.outbox.javalin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outbox.email.Address;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Hides addresses from those who may not see them: the domain stays, because trouble often has to
 * do with it, and so does the first letter. Relays like to quote addresses, so texts are gone
 * through as well.
 *
 * @param shows whether nothing is hidden
 */
record Masking(boolean shows) {

  /** Anything around an at sign, as generous as needed to miss none. */
  private static final Pattern ADDRESS =
      Pattern.compile("([^\\s@<>()\\[\\]\",;:])[^\\s@<>()\\[\\]\",;:]*@([^\\s@<>()\\[\\]\",;:]+)");

  static Masking of(Access access) {
    return new Masking(access.seesPersonalData());
  }

  ObjectNode address(Address address) {
    ObjectNode json = Json.object().put("address", text(address.email()));
    if (shows && address.name() != null) {
      json.put("name", address.name());
    }
    return json;
  }

  String text(String text) {
    return shows ? text : ADDRESS.matcher(text).replaceAll("$1***@$2");
  }

  @Nullable String textOrNull(@Nullable String text) {
    return text == null ? null : text(text);
  }
}
