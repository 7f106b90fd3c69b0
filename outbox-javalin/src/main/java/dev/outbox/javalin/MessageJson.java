package dev.outbox.javalin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outbox.email.Attachment;
import dev.outbox.email.Bytes;
import dev.outbox.transport.MessagePreview;
import dev.outbox.transport.RenderedMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rendered emails as JSON; the html itself is fetched apart, to be shown in a frame. */
final class MessageJson {

  private final EmailJson emails;

  MessageJson(AccessRole access) {
    this.emails = new EmailJson(access);
  }

  ObjectNode of(MessagePreview preview) {
    RenderedMessage message = preview.message();
    ObjectNode json = message == null ? Json.object() : of(message);
    json.put("problem", preview.problem());
    json.set("headers", headers(preview.raw()));
    json.put("raw", preview.raw() != null);
    return json;
  }

  ObjectNode of(RenderedMessage message) {
    ObjectNode json = Json.object().put("subject", message.subject());
    json.set("from", emails.addresses(List.of(message.from())).get(0));
    json.set("to", emails.addresses(message.recipients().to()));
    json.set("cc", emails.addresses(message.recipients().cc()));
    json.set("bcc", emails.addresses(message.recipients().bcc()));
    json.set("replyTo", emails.addresses(message.replyTo()));
    json.put("text", message.text());
    json.put("html", message.html() != null);
    ArrayNode files = json.putArray("attachments");
    message.attachments().forEach(each -> files.add(of(each)));
    return json;
  }

  private static ObjectNode of(Attachment file) {
    return Json.object()
        .put("fileName", file.fileName())
        .put("contentType", file.contentType())
        .put("bytes", file.content().length())
        .put("contentId", file.contentId());
  }

  /** Lists the headers of a message on the wire, folded lines joined. */
  static ArrayNode headers(@Nullable Bytes raw) {
    ArrayNode headers = Json.array();
    if (raw == null) {
      return headers;
    }
    String text = raw.toUtf8();
    int end = text.indexOf("\r\n\r\n");
    String head = (end < 0 ? text : text.substring(0, end)).replaceAll("\r\n(?=[ \t])", "");
    for (String line : head.split("\r\n", -1)) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        headers.add(
            Json.object()
                .put("name", line.substring(0, colon))
                .put("value", line.substring(colon + 1).strip()));
      }
    }
    return headers;
  }
}
