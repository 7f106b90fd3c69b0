package dev.outbox.smtp;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.james.mime4j.dom.Body;
import org.apache.james.mime4j.dom.Entity;
import org.apache.james.mime4j.dom.Message;
import org.apache.james.mime4j.dom.Multipart;
import org.apache.james.mime4j.dom.SingleBody;
import org.apache.james.mime4j.dom.address.AddressList;
import org.apache.james.mime4j.dom.address.Mailbox;
import org.apache.james.mime4j.message.DefaultMessageBuilder;
import org.apache.james.mime4j.stream.MimeConfig;

/** A received message as Apache mime4j reads it, which has no line in common with what wrote it. */
final class Parsed {

  private final Message message;

  private Parsed(Message message) {
    this.message = message;
  }

  static Parsed of(byte[] bytes) {
    try {
      DefaultMessageBuilder builder = new DefaultMessageBuilder();
      builder.setMimeEntityConfig(
          MimeConfig.custom()
              .setMaxLineLen(998)
              .setMaxHeaderLen(-1)
              .setStrictParsing(true)
              .build());
      return new Parsed(builder.parseMessage(new ByteArrayInputStream(bytes)));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  Message message() {
    return message;
  }

  String from() {
    return mailbox(message.getFrom().get(0));
  }

  List<String> to() {
    AddressList list = message.getTo();
    return list == null ? List.of() : list.flatten().stream().map(Parsed::mailbox).toList();
  }

  String header(String name) {
    return message.getHeader().getFields(name).stream()
        .map(field -> field.getBody())
        .collect(Collectors.joining("|"));
  }

  int headers(String name) {
    return message.getHeader().getFields(name).size();
  }

  private static String mailbox(Mailbox mailbox) {
    return mailbox.getName() + " <" + mailbox.getAddress() + ">";
  }

  /** Every part that is not made of parts, in order. */
  List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    collect(message, parts);
    return parts;
  }

  Part only() {
    if (parts().size() != 1) {
      throw new AssertionError(parts().size() + " parts");
    }
    return parts().get(0);
  }

  /** The types of all entities, nested. */
  String structure() {
    return structure(message);
  }

  private static String structure(Entity entity) {
    Body body = entity.getBody();
    return body instanceof Multipart multipart
        ? entity.getMimeType().replace("multipart/", "")
            + multipart.getBodyParts().stream()
                .map(Parsed::structure)
                .collect(Collectors.joining(", ", "(", ")"))
        : entity.getMimeType();
  }

  private static void collect(Entity entity, List<Part> parts) {
    if (entity.getBody() instanceof Multipart multipart) {
      multipart.getBodyParts().forEach(each -> collect(each, parts));
    } else if (entity.getBody() instanceof SingleBody body) {
      parts.add(new Part(entity, content(body)));
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

  /** One part with its decoded content. */
  static final class Part {
    private final Entity entity;
    private final byte[] content;

    Part(Entity entity, byte[] content) {
      this.entity = entity;
      this.content = content;
    }

    String type() {
      return entity.getMimeType();
    }

    String encoding() {
      return entity.getContentTransferEncoding();
    }

    String fileName() {
      return entity.getFilename();
    }

    String disposition() {
      return entity.getDispositionType();
    }

    String contentId() {
      return entity.getHeader().getField("Content-ID").getBody();
    }

    byte[] content() {
      return content.clone();
    }

    String text() {
      return new String(content, StandardCharsets.UTF_8);
    }
  }
}
