package dev.outbox.javalin;

import io.javalin.http.Context;
import java.util.Set;

/** The names of a request's query parameters. */
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
    for (String name : context.queryParamMap().keySet()) {
      if (!known.contains(name)) {
        throw Problem.badParameter(Fields.shown(name), Fields.unknown(known)).asException();
      }
    }
  }
}
