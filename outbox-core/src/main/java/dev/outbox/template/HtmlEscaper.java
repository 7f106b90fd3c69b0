package dev.outbox.template;

import com.samskivert.mustache.Escapers;
import com.samskivert.mustache.Mustache;

/** jmustache's escaper for HTML, which is only asked where there is something to escape. */
final class HtmlEscaper implements Mustache.Escaper {

  @Override
  public String escape(String raw) {
    for (int i = 0; i < raw.length(); i++) {
      if (isTelling(raw.charAt(i))) {
        return Escapers.HTML.escape(raw);
      }
    }
    return raw;
  }

  private static boolean isTelling(char c) {
    return switch (c) {
      case '&', '<', '>', '"', '\'', '`', '=' -> true;
      default -> false;
    };
  }
}
