package dev.outbox.javalin;

import dev.outbox.CancelResult;
import dev.outbox.Outbox;
import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import io.javalin.http.Context;
import java.util.List;

/** What people do by hand: requeue one or all that fit, cancel, erase. */
final class ActionRoutes {

  private final Outbox outbox;
  private final RequestBody body;

  ActionRoutes(Outbox outbox, RequestBody body) {
    this.outbox = outbox;
    this.body = body;
  }

  List<Route> routes() {
    return List.of(
        Route.act("/api/emails/{id}/requeue", (context, access) -> requeue(context)),
        Route.act("/api/emails/{id}/cancel", (context, access) -> cancel(context)),
        Route.act("/api/emails/{id}/erase", (context, access) -> erase(context)),
        Route.act("/api/requeue", this::requeueAll));
  }

  private void requeue(Context context) {
    EmailId id = EmailRoutes.id(context);
    if (!outbox.requeue(id)) {
      throw refusal(id, "it has neither failed nor is invalid, or its content is gone");
    }
    done(context, id);
  }

  private void cancel(Context context) {
    EmailId id = EmailRoutes.id(context);
    CancelResult result = outbox.cancel(id);
    if (result != CancelResult.CANCELLED) {
      throw refusal(id, "too late: it is being delivered or has an outcome");
    }
    done(context, id);
  }

  private void erase(Context context) {
    EmailId id = EmailRoutes.id(context);
    if (!outbox.erase(id)) {
      throw refusal(id, "it is being delivered");
    }
    done(context, id);
  }

  private void requeueAll(Context context, AccessRole access) {
    SearchCriteria criteria = SearchCriteria.body(body.read(context));
    AddressSearchCheck.reject(criteria, access);
    int requeued = outbox.requeueAll(criteria.query());
    Json.write(context, Json.object().put("requeued", requeued));
  }

  private ProblemException refusal(EmailId id, String why) {
    return (outbox.find(id).isEmpty() ? EmailRoutes.unknown() : ProblemDetails.refused(id, why))
        .asException();
  }

  private void done(Context context, EmailId id) {
    String state =
        outbox.find(id).map(found -> found.summary().state()).map(State::wireName).orElse("");
    Json.write(context, Json.object().put("id", id.toString()).put("state", state));
  }
}
