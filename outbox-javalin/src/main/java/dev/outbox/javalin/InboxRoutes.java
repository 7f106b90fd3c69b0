package dev.outbox.javalin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outbox.email.Attachment;
import dev.outbox.transport.RenderedMessage;
import io.javalin.http.Context;
import io.javalin.http.Header;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The development inbox: what was caught, for people and for end-to-end tests. */
final class InboxRoutes {

  private final DevelopmentInbox inbox;

  InboxRoutes(DevelopmentInbox inbox) {
    this.inbox = inbox;
  }

  List<Route> routes() {
    return List.of(
        Route.read("/api/inbox", this::list)
            .accepting(Set.of("to", "from", "subject", "q", "limit")),
        Route.remove("/api/inbox", (context, access) -> clear(context)),
        Route.read("/api/inbox/{number}", this::show),
        Route.read("/api/inbox/{number}/html", (context, access) -> html(context)),
        Route.read("/api/inbox/{number}/raw", (context, access) -> raw(context)),
        Route.read(
            "/api/inbox/{number}/attachments/{index}", (context, access) -> attachment(context)));
  }

  private void list(Context context, AccessRole access) {
    int limit = ListRoutes.checked(SearchCriteria.parameters(context)::limit);
    List<CapturedEmail> found =
        inbox.list().stream()
            .filter(named(context, "to", CapturedEmail::isTo))
            .filter(named(context, "from", CapturedEmail::isFrom))
            .filter(named(context, "subject", CapturedEmail::hasSubject))
            .filter(named(context, "q", CapturedEmail::contains))
            .toList();
    EmailJson json = new EmailJson(access);
    ArrayNode emails = Json.array();
    found.stream().limit(limit).forEach(each -> emails.add(summary(each, json)));
    Json.write(
        context,
        Json.object().put("total", found.size()).put("kept", inbox.size()).set("emails", emails));
  }

  private static Predicate<CapturedEmail> named(
      Context context, String parameter, BiPredicate<CapturedEmail, String> test) {
    String part = context.queryParam(parameter);
    return each -> part == null || part.isEmpty() || test.test(each, part);
  }

  private static ObjectNode summary(CapturedEmail email, EmailJson json) {
    ObjectNode node =
        Json.object()
            .put("number", email.number())
            .put("id", email.envelope().id().toString())
            .put("at", email.at().toString())
            .put("subject", email.subject());
    node.set("from", json.addresses(List.of(email.envelope().from())).get(0));
    node.set("to", json.addresses(email.envelope().recipients()));
    node.put("attachments", email.message().map(each -> each.attachments().size()).orElse(0));
    return node;
  }

  private void show(Context context, AccessRole access) {
    CapturedEmail email = find(context);
    ObjectNode json = summary(email, new EmailJson(access));
    email.message().ifPresent(message -> json.set("message", new MessageJson(access).of(message)));
    json.set("headers", MessageJson.headers(email.raw()));
    Json.write(context, json);
  }

  private void html(Context context) {
    RenderedMessage message = find(context).message().orElse(null);
    if (message == null || message.html() == null) {
      throw ProblemDetails.notFound("the email has no html").asException();
    }
    HtmlPreview.html(context, message.html(), message.attachments());
  }

  private void raw(Context context) {
    HtmlPreview.raw(context, find(context).raw());
  }

  /** Hands a file out to be saved; no browser may take it for a page. */
  private void attachment(Context context) {
    List<Attachment> files =
        find(context).message().map(RenderedMessage::attachments).orElse(List.of());
    Integer index = number(context.pathParam("index"));
    if (index == null || index >= files.size()) {
      throw ProblemDetails.notFound("the email has no such attachment").asException();
    }
    Attachment file = files.get(index);
    String name = URLEncoder.encode(file.fileName(), StandardCharsets.UTF_8).replace("+", "%20");
    context.header(Header.CONTENT_DISPOSITION, "attachment; filename*=UTF-8''" + name);
    context.contentType("application/octet-stream").result(file.content().open());
  }

  private void clear(Context context) {
    inbox.clear();
    context.status(204);
  }

  private CapturedEmail find(Context context) {
    Integer number = number(context.pathParam("number"));
    return inbox
        .find(number == null ? -1 : number)
        .orElseThrow(() -> ProblemDetails.notFound("no email has this number").asException());
  }

  private static @Nullable Integer number(String text) {
    try {
      int number = Integer.parseInt(text);
      return number < 0 ? null : number;
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
