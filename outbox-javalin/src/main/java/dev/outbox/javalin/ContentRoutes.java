package dev.outbox.javalin;

import dev.outbox.Outbox;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.transport.MessagePreview;
import dev.outbox.transport.RenderedMessage;
import io.javalin.http.Context;
import java.util.List;

/** What an email says, for those who may read it, while its content exists. */
final class ContentRoutes {

  private final Outbox outbox;

  ContentRoutes(Outbox outbox) {
    this.outbox = outbox;
  }

  List<Route> routes() {
    return List.of(
        Route.read("/api/emails/{id}/message", this::message),
        Route.read("/api/emails/{id}/html", (context, access) -> html(context)),
        Route.read("/api/emails/{id}/raw", (context, access) -> raw(context)));
  }

  private void message(Context context, AccessRole access) {
    MessagePreview preview = preview(context);
    MessageJson json = new MessageJson(access);
    Json.write(context, json.of(preview));
  }

  private void html(Context context) {
    RenderedMessage message = preview(context).message();
    if (message == null || message.html() == null) {
      throw ProblemDetails.notFound("the email has no html, or cannot be rendered here")
          .asException();
    }
    HtmlPreview.html(context, message.html(), message.attachments());
  }

  private void raw(Context context) {
    Bytes raw = preview(context).raw();
    if (raw == null) {
      throw ProblemDetails.notFound("the email was not composed, and cannot be here").asException();
    }
    HtmlPreview.raw(context, raw);
  }

  private MessagePreview preview(Context context) {
    EmailId id = EmailRoutes.id(context);
    return outbox
        .preview(id)
        .orElseThrow(
            () ->
                (outbox.find(id).isEmpty()
                        ? EmailRoutes.unknown()
                        : ProblemDetails.notFound("the email's content is gone"))
                    .asException());
  }
}
