package dev.outbox.email;

import java.net.URI;
import java.util.List;

/** The headers of RFC 8058, by which a mail program offers to unsubscribe with one click. */
final class UnsubscribeHeaders {

  private static final String FIELD = "oneClickUnsubscribe";
  private static final String URLS = "List-Unsubscribe";
  private static final String POST = "List-Unsubscribe-Post";

  /** Leaves room for the name on a line that cannot be folded. */
  private static final int MAX_URL = 800;

  private UnsubscribeHeaders() {}

  static List<Header> headers(URI url) {
    if (!"https".equalsIgnoreCase(url.getScheme()) || url.getHost() == null) {
      throw new InvalidEmailException(FIELD, "not an https URL");
    }
    HeaderValidation.wellFormed(FIELD, url.toString());
    String text = url.toASCIIString();
    if (text.length() > MAX_URL) {
      throw new InvalidEmailException(
          FIELD, "has %d characters, more than %d".formatted(text.length(), MAX_URL));
    }
    return List.of(
        new Header(URLS, "<" + text + ">"), new Header(POST, "List-Unsubscribe=One-Click"));
  }

  /** Refuses a second header of either name: which of them counts would be the receiver's guess. */
  static void checkOnce(List<Header> headers) {
    for (String name : List.of(URLS, POST)) {
      if (headers.stream().filter(each -> each.name().equalsIgnoreCase(name)).count() > 1) {
        throw new InvalidEmailException("header " + name, "given more than once");
      }
    }
  }
}
