package dev.outbox.javalin;

import dev.outbox.email.Address;
import dev.outbox.email.Attachment;
import dev.outbox.email.Bytes;
import dev.outbox.email.Header;
import dev.outbox.transport.RenderedMessage;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes a message for people who look at its source: UTF-8 as it is, only files in base64. It
 * never goes over a wire.
 */
final class PlainMimeWriter {

  private final StringBuilder out = new StringBuilder();
  private final String boundary;

  private PlainMimeWriter(RenderedMessage message) {
    this.boundary = "=_" + message.id();
  }

  static Bytes of(RenderedMessage message) {
    PlainMimeWriter mime = new PlainMimeWriter(message);
    mime.writeHeaders(message);
    mime.writeBody(message);
    return Bytes.utf8(mime.out.toString());
  }

  private void writeHeaders(RenderedMessage message) {
    header(
        "Date",
        DateTimeFormatter.RFC_1123_DATE_TIME.format(message.date().atOffset(ZoneOffset.UTC)));
    header("From", message.from().format());
    addresses("Reply-To", message.replyTo());
    addresses("To", message.recipients().to());
    addresses("Cc", message.recipients().cc());
    header("Subject", message.subject());
    header("Message-ID", "<" + message.id() + "@" + message.from().domain() + ">");
    for (Header each : message.headers()) {
      header(each.name(), each.value());
    }
    header("MIME-Version", "1.0");
  }

  private void writeBody(RenderedMessage message) {
    if (message.attachments().isEmpty()) {
      writeTexts(message.text(), message.html(), boundary);
      return;
    }
    header("Content-Type", "multipart/mixed; boundary=\"" + boundary + "\"");
    next(boundary);
    writeTexts(message.text(), message.html(), boundary + "_a");
    for (Attachment file : message.attachments()) {
      next(boundary);
      writeFile(file);
    }
    end(boundary);
  }

  private void writeTexts(@Nullable String text, @Nullable String html, String inner) {
    if (text == null || html == null) {
      writeText(html == null ? "plain" : "html", html == null ? String.valueOf(text) : html);
      return;
    }
    header("Content-Type", "multipart/alternative; boundary=\"" + inner + "\"");
    next(inner);
    writeText("plain", text);
    next(inner);
    writeText("html", html);
    end(inner);
  }

  private void writeText(String subtype, String text) {
    header("Content-Type", "text/" + subtype + "; charset=UTF-8");
    header("Content-Transfer-Encoding", "8bit");
    out.append("\r\n").append(text.replaceAll("\r\n|\r|\n", "\r\n")).append("\r\n");
  }

  private void writeFile(Attachment file) {
    header("Content-Type", file.contentType());
    header("Content-Transfer-Encoding", "base64");
    String disposition = file.contentId() == null ? "attachment" : "inline";
    String name = file.fileName().replace("\\", "\\\\").replace("\"", "\\\"");
    header("Content-Disposition", disposition + "; filename=\"" + name + "\"");
    if (file.contentId() != null) {
      header("Content-ID", "<" + file.contentId() + ">");
    }
    out.append("\r\n");
    out.append(Base64.getMimeEncoder().encodeToString(file.content().toArray())).append("\r\n");
  }

  private void addresses(String name, List<Address> addresses) {
    if (!addresses.isEmpty()) {
      header(name, addresses.stream().map(Address::format).collect(Collectors.joining(", ")));
    }
  }

  private void header(String name, String value) {
    out.append(name).append(": ").append(value).append("\r\n");
  }

  private void next(String between) {
    out.append("\r\n--").append(between).append("\r\n");
  }

  private void end(String between) {
    out.append("\r\n--").append(between).append("--\r\n");
  }
}
