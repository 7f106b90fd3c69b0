package dev.outbox.javalin;

import io.javalin.http.Context;
import io.javalin.http.Header;
import java.net.URI;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The check that a request which changes something was not made by another site in the name of
 * somebody who is logged in here. Two locks: what the browser says about where the request comes
 * from, and a header or type that no form can send.
 */
final class CsrfCheck {

  /** What the page sends with every action; any value will do. */
  static final String ACTION = "Outbox-Action";

  private CsrfCheck() {}

  static void refuse(Context context) {
    if (isForeign(context)) {
      throw ProblemDetails.forbidden("the request comes from another site").asException();
    }
    if (context.header(ACTION) == null && !RequestBody.isJson(context)) {
      throw ProblemDetails.forbidden(
              "needs Content-Type: application/json, or the header " + ACTION)
          .asException();
    }
  }

  private static boolean isForeign(Context context) {
    String site = context.header("Sec-Fetch-Site");
    if (site != null) {
      return !site.equals("same-origin") && !site.equals("none");
    }
    String origin = context.header(Header.ORIGIN);
    return origin != null && !Objects.equals(authority(origin), context.header(Header.HOST));
  }

  private static @Nullable String authority(String origin) {
    try {
      return URI.create(origin).getRawAuthority();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
