package dev.outbox.smtp;

import dev.outbox.email.Attachment;
import dev.outbox.email.Bytes;
import dev.outbox.email.Header;
import dev.outbox.transport.RenderedMessage;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a rendered email as a MIME message. Everything in it follows from the email, Message-ID,
 * Date and boundaries included, so that the same email always gives the same bytes. All lines end
 * in CRLF, and nothing is outside ASCII but a local part that needs SMTPUTF8 and the content of an
 * attached message that needs 8BITMIME.
 */
final class MimeComposer {

  private static final String AUTO_SUBMITTED = "Auto-Submitted";

  private static volatile Written lastDate = new Written(Long.MIN_VALUE, "");

  private MimeComposer() {}

  /**
   * Composes a message.
   *
   * @throws IllegalArgumentException naming the header that has a line break or NUL in it, or the
   *     number of the attachment that cannot be sent under its type
   */
  static Bytes compose(RenderedMessage message) {
    ByteArrayBuilder out = new ByteArrayBuilder(1024 + size(message));
    writeHeaders(message, out);
    new Parts(message, out).write();
    if (out.array()[out.length() - 1] != '\n') {
      out.line();
    }
    return Bytes.owned(out.toArray());
  }

  private static void writeHeaders(RenderedMessage message, ByteArrayBuilder out) {
    HeaderWriter lines = new HeaderWriter(out);
    lines.raw("Date", date(message));
    lines.addresses("From", List.of(message.from()));
    lines.addresses("Reply-To", message.replyTo());
    if (message.recipients().to().isEmpty() && message.recipients().cc().isEmpty()) {
      lines.raw("To", "undisclosed-recipients:;");
    }
    lines.addresses("To", message.recipients().to());
    lines.addresses("Cc", message.recipients().cc());
    lines.text("Subject", message.subject());
    lines.token("Message-ID", "<" + message.id() + "@" + message.from().domain() + ">");
    if (message.headers().isEmpty() || !setsAutoSubmitted(message)) {
      lines.raw(AUTO_SUBMITTED, "auto-generated");
    }
    for (Header header : message.headers()) {
      lines.text(header.name(), header.value());
    }
    lines.raw("MIME-Version", "1.0");
  }

  private static boolean setsAutoSubmitted(RenderedMessage message) {
    return message.headers().stream()
        .anyMatch(each -> each.name().equalsIgnoreCase(AUTO_SUBMITTED));
  }

  private static String date(RenderedMessage message) {
    long second = message.date().getEpochSecond();
    Written last = lastDate;
    if (last.second() != second) {
      String gmt =
          DateTimeFormatter.RFC_1123_DATE_TIME.format(message.date().atOffset(ZoneOffset.UTC));
      last = new Written(second, gmt.replace("GMT", "+0000"));
      lastDate = last;
    }
    return last.text();
  }

  /** A date as it was written for the email before, which often is the same. */
  private record Written(long second, String text) {}

  private static int size(RenderedMessage message) {
    int text = (length(message.html()) + length(message.text())) * 5 / 4;
    int files =
        message.attachments().stream()
            .mapToInt(each -> each.content().length() / 3 * 4 + 512)
            .sum();
    return text + files + files / 38;
  }

  private static int length(@Nullable String text) {
    return text == null ? 0 : text.length();
  }

  /** The body: as many levels of parts as the email needs, and no more. */
  private static final class Parts {
    private final RenderedMessage message;
    private final ByteArrayBuilder out;
    private final HeaderWriter lines;
    private final List<AttachmentEncoding> files = new ArrayList<>();
    private final List<AttachmentEncoding> images = new ArrayList<>();
    private final String boundaryStem;

    Parts(RenderedMessage message, ByteArrayBuilder out) {
      this.message = message;
      this.out = out;
      this.lines = new HeaderWriter(out);
      int number = 0;
      for (Attachment each : message.attachments()) {
        AttachmentEncoding file = AttachmentEncoding.of(each, ++number);
        boolean image = message.html() != null && each.contentId() != null;
        (image ? images : files).add(file);
      }
      this.boundaryStem = boundaryStem();
    }

    /** Returns how all boundaries start: with a text that is in no attached message. */
    private String boundaryStem() {
      String first = "=_" + message.id();
      String stem = first;
      for (int i = 1; shows(files, stem) || shows(images, stem); i++) {
        stem = first + "_" + i;
      }
      return stem;
    }

    private static boolean shows(List<AttachmentEncoding> attachments, String text) {
      return attachments.stream().anyMatch(each -> each.shows(text));
    }

    void write() {
      if (files.isEmpty()) {
        writeBody();
        return;
      }
      String boundary = open("mixed", "m", isEightBit(files) || isEightBit(images));
      next(boundary);
      writeBody();
      for (AttachmentEncoding file : files) {
        next(boundary);
        writeFile(file, "attachment");
      }
      close(boundary);
    }

    private void writeBody() {
      String html = message.html();
      String text = message.text();
      if (html == null) {
        writeText("plain", text == null ? "" : text);
        return;
      }
      String boundary = open("alternative", "a", isEightBit(images));
      next(boundary);
      writeText("plain", text == null ? HtmlToText.of(html) : text);
      next(boundary);
      writeHtml(html);
      close(boundary);
    }

    private void writeHtml(String html) {
      if (images.isEmpty()) {
        writeText("html", html);
        return;
      }
      String boundary = open("related", "r", isEightBit(images));
      next(boundary);
      writeText("html", html);
      for (AttachmentEncoding image : images) {
        next(boundary);
        writeFile(image, "inline");
      }
      close(boundary);
    }

    private static boolean isEightBit(List<AttachmentEncoding> attachments) {
      return attachments.stream().anyMatch(AttachmentEncoding::isEightBit);
    }

    private void writeText(String subtype, String text) {
      TextPart body = new TextPart(text);
      out.add("Content-Type: text/").add(subtype).add("; charset=UTF-8\r\n");
      out.add("Content-Transfer-Encoding: ").add(body.encoding()).add("\r\n\r\n");
      body.write(out);
    }

    private void writeFile(AttachmentEncoding encoded, String disposition) {
      Attachment file = encoded.file();
      lines.token("Content-Type", file.contentType());
      lines.raw("Content-Transfer-Encoding", encoded.name());
      out.add("Content-Disposition: ").add(disposition);
      out.add(FileNameParameter.parameter(file.fileName())).line();
      String contentId = file.contentId();
      if (contentId != null) {
        lines.token("Content-ID", "<" + contentId + ">");
      }
      out.line();
      encoded.write(out);
    }

    /** Starts a multipart, which RFC 2045 (6.4) wants labelled 8bit if a part of it is. */
    private String open(String subtype, String level, boolean eightBit) {
      String boundary = boundaryStem + "_" + level;
      out.add("Content-Type: multipart/").add(subtype);
      out.add(";\r\n boundary=\"").add(boundary).add("\"\r\n");
      if (eightBit) {
        lines.raw("Content-Transfer-Encoding", "8bit");
      }
      return boundary;
    }

    private void next(String boundary) {
      out.add("\r\n--").add(boundary).line();
    }

    private void close(String boundary) {
      out.add("\r\n--").add(boundary).add("--");
    }
  }
}
