package dev.outbox.javalin;

import io.javalin.http.Context;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The check of a request's query parameters by their names. */
final class QueryParameters {

  private QueryParameters() {}

  /**
   * Rejects a request with a parameter that its route does not have: a misspelt criterion would
   * otherwise list all emails.
   *
   * @param known the names that the route has
   * @throws ProblemException naming the parameter
   */
  static void rejectUnknown(Context context, Set<String> known) {
    rejectUndecodable(context.queryString());
    for (String name : context.queryParamMap().keySet()) {
      if (!known.contains(name)) {
        throw ProblemDetails.badParameter(JsonFields.shown(name), JsonFields.unknown(known))
            .asException();
      }
    }
  }

  /** Rejects what Javalin leaves out: it drops a value that it cannot decode. */
  private static void rejectUndecodable(@Nullable String query) {
    try {
      URLDecoder.decode(query == null ? "" : query, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw ProblemDetails.malformed("the query cannot be decoded").asException();
    }
  }
}
