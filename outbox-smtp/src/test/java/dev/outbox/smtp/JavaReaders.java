package dev.outbox.smtp;

import static java.util.stream.Collectors.joining;

import jakarta.mail.Address;
import jakarta.mail.Header;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import jakarta.mail.internet.MimePart;
import jakarta.mail.internet.MimePartDataSource;
import jakarta.mail.internet.MimeUtility;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.codec.DecoderUtil;
import org.apache.james.mime4j.dom.Entity;
import org.apache.james.mime4j.dom.Message;
import org.apache.james.mime4j.dom.Multipart;
import org.apache.james.mime4j.dom.SingleBody;
import org.apache.james.mime4j.dom.address.Mailbox;
import org.apache.james.mime4j.dom.field.AddressListField;
import org.apache.james.mime4j.dom.field.MailboxListField;
import org.apache.james.mime4j.stream.Field;
import org.jspecify.annotations.Nullable;

/** A message as Apache mime4j and angus read it, in the lines of {@code read_message.py}. */
final class JavaReaders {

  private final List<String> lines = new ArrayList<>();

  private JavaReaders() {}

  static List<String> mime4j(byte[] message) {
    JavaReaders readers = new JavaReaders();
    readers.message(0, Parsed.of(message).message());
    return readers.lines;
  }

  static List<String> angus(byte[] message) throws MessagingException, IOException {
    JavaReaders readers = new JavaReaders();
    readers.message(0, mimeMessage(message));
    return readers.lines;
  }

  private static MimeMessage mimeMessage(byte[] message) throws MessagingException {
    return new MimeMessage(
        Session.getInstance(new Properties()), new ByteArrayInputStream(message));
  }

  private void message(int depth, Message message) {
    for (Field field : message.getHeader().getFields()) {
      String name = field.getName();
      if (name.toLowerCase(Locale.ROOT).startsWith("content-")) {
        continue;
      }
      String value =
          switch (name) {
            case "Date" -> seconds(message.getDate().toInstant());
            case "From" -> names(((MailboxListField) field).getMailboxList());
            case "To", "Cc", "Reply-To" ->
                names(((AddressListField) field).getAddressList().flatten());
            default ->
                DecoderUtil.decodeEncodedWords(field.getBody(), DecodeMonitor.SILENT).strip();
          };
      show(depth, name + ": " + escaped(value));
    }
    entity(depth, message);
  }

  private void entity(int depth, Entity part) {
    Field id = part.getHeader().getField("Content-ID");
    head(
        depth,
        part.getMimeType(),
        part.getContentTransferEncoding(),
        part.getDispositionType(),
        id == null ? null : id.getBody(),
        part.getFilename());
    if (part.getBody() instanceof Multipart multipart) {
      multipart.getBodyParts().forEach(child -> entity(depth + 1, child));
    } else if (part.getBody() instanceof Message message) {
      message(depth + 1, message);
    } else {
      byte[] content = content((SingleBody) part.getBody());
      if (part.getMimeType().equals("message/global")) {
        message(depth + 1, Parsed.of(content).message());
      } else {
        content(depth + 1, part.getMimeType(), content);
      }
    }
  }

  private static byte[] content(SingleBody body) {
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      body.getInputStream().transferTo(out);
      return out.toByteArray();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String names(Iterable<Mailbox> mailboxes) {
    List<String> names = new ArrayList<>();
    for (Mailbox each : mailboxes) {
      names.add((each.getName() == null ? "" : each.getName()) + " <" + each.getAddress() + ">");
    }
    return String.join("; ", names);
  }

  private void message(int depth, MimeMessage message) throws MessagingException, IOException {
    for (Header header : Collections.list(message.getAllHeaders())) {
      String name = header.getName();
      if (name.toLowerCase(Locale.ROOT).startsWith("content-")) {
        continue;
      }
      String value =
          switch (name) {
            case "Date" -> seconds(message.getSentDate().toInstant());
            case "From" -> names(message.getFrom());
            case "To" -> names(message.getRecipients(jakarta.mail.Message.RecipientType.TO));
            case "Cc" -> names(message.getRecipients(jakarta.mail.Message.RecipientType.CC));
            case "Reply-To" -> names(message.getReplyTo());
            default -> MimeUtility.decodeText(MimeUtility.unfold(header.getValue())).strip();
          };
      show(depth, name + ": " + escaped(value));
    }
    entity(depth, message);
  }

  private void entity(int depth, MimePart part) throws MessagingException, IOException {
    String type = part.getContentType().replaceFirst(";(?s).*", "").strip();
    String encoding = part.getEncoding();
    String id = part.getContentID();
    head(
        depth,
        type,
        encoding == null ? "7bit" : encoding,
        part.getDisposition(),
        id,
        part.getFileName());
    if (type.startsWith("multipart/")) {
      MimeMultipart multipart = new MimeMultipart(new MimePartDataSource(part));
      for (int i = 0; i < multipart.getCount(); i++) {
        entity(depth + 1, (MimePart) multipart.getBodyPart(i));
      }
      return;
    }
    byte[] content = part.getInputStream().readAllBytes();
    if (type.equals("message/rfc822") || type.equals("message/global")) {
      message(depth + 1, mimeMessage(content));
    } else {
      content(depth + 1, type, content);
    }
  }

  private static String names(Address[] addresses) {
    return Stream.of(addresses)
        .map(InternetAddress.class::cast)
        .map(each -> (each.getPersonal() == null ? "" : each.getPersonal()) + address(each))
        .collect(joining("; "));
  }

  private static String address(InternetAddress each) {
    return " <" + each.getAddress() + ">";
  }

  private void head(
      int depth,
      String type,
      String encoding,
      @Nullable String disposition,
      @Nullable String id,
      @Nullable String fileName) {
    show(
        depth,
        escaped(
            "%s %s %s %s %s"
                .formatted(type, encoding, orDash(disposition), orDash(id), orDash(fileName))));
  }

  private void content(int depth, String type, byte[] content) {
    show(
        depth,
        type.startsWith("text/") || type.startsWith("message/")
            ? escaped(new String(content, StandardCharsets.UTF_8))
            : HexFormat.of().formatHex(content));
  }

  private void show(int depth, String text) {
    lines.add("  ".repeat(depth) + text);
  }

  private static String seconds(Instant date) {
    return String.valueOf(date.getEpochSecond());
  }

  private static String orDash(@Nullable String text) {
    return text == null ? "-" : text;
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\r", "\\r").replace("\n", "\\n");
  }
}
