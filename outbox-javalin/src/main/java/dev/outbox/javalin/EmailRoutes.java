package dev.outbox.javalin;

import dev.outbox.Outbox;
import dev.outbox.email.EmailDetails;
import dev.outbox.email.EmailId;
import io.javalin.http.Context;
import java.util.List;

/** One email: all that is known of it, with its history. */
final class EmailRoutes {

  private final Outbox outbox;

  EmailRoutes(Outbox outbox) {
    this.outbox = outbox;
  }

  List<Route> routes() {
    return List.of(Route.look("/api/emails/{id}", this::show));
  }

  private void show(Context context, AccessRole access) {
    EmailId id = id(context);
    EmailDetails details = outbox.find(id).orElseThrow(() -> unknown().asException());
    boolean hasContent = details.content() != null;
    var json = new EmailJson(access).details(details.summary(), hasContent, outbox.history(id));
    json.put("contentProblem", details.problem());
    Json.write(context, json);
  }

  /** Reads the id in a path; what is no id is no email either. */
  static EmailId id(Context context) {
    try {
      return EmailId.parse(context.pathParam("id"));
    } catch (IllegalArgumentException e) {
      throw unknown().asException();
    }
  }

  static ProblemDetails unknown() {
    return ProblemDetails.notFound("no email has this id");
  }
}
