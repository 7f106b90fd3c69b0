package dev.outbox.internal.payload;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outbox.email.Address;
import dev.outbox.email.Attachment;
import dev.outbox.email.Body;
import dev.outbox.email.Bytes;
import dev.outbox.email.Header;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.email.TemplateData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Payloads as JSON with a version in front, so that an older node knows what it cannot read.
 * Immutable.
 */
public final class PayloadCodec {

  /** The version this release writes, and the newest it reads. */
  static final int VERSION = 1;

  private static final JsonMapper MAPPER = mapper();
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private static JsonMapper mapper() {
    JsonMapper mapper =
        JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();
    mapper
        .getFactory()
        .setStreamReadConstraints(
            StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build());
    return mapper;
  }

  private PayloadCodec() {}

  /** Writes a payload. A generator takes longer to make than most payloads are to write. */
  public static Bytes encode(Payload payload) {
    StringBuilder json = new StringBuilder(256 + length(payload));
    name(json.append('{'), "v").append(VERSION);
    list(json, "replyTo", payload.replyTo(), address -> quote(json, address.format()));
    write(json, payload.body());
    list(json, "attachments", payload.attachments(), attachment -> write(json, attachment));
    list(json, "headers", payload.headers(), header -> write(json, header));
    return Bytes.utf8(json.append('}').toString());
  }

  /** Returns about how long it will be, so that memory is mostly asked for once. */
  private static int length(Payload payload) {
    int length =
        payload.body() instanceof Body.Templated templated
            ? templated.data().json().length()
            : 1024;
    for (Attachment attachment : payload.attachments()) {
      length += 256 + attachment.content().length() / 3 * 4;
    }
    return length;
  }

  private static void write(StringBuilder json, Body body) {
    if (body instanceof Body.Templated templated) {
      text(json, "template", templated.template());
      text(json, "locale", templated.locale() == null ? null : templated.locale().toLanguageTag());
      name(json, "data").append(templated.data().json());
    } else if (body instanceof Body.Inline inline) {
      text(json, "html", inline.html());
      text(json, "text", inline.text());
    }
  }

  private static void write(StringBuilder json, Attachment attachment) {
    json.append('{');
    text(json, "name", attachment.fileName());
    text(json, "type", attachment.contentType());
    text(json, "cid", attachment.contentId());
    String content = Base64.getEncoder().encodeToString(attachment.content().toArray());
    name(json, "content").append('"').append(content).append("\"}");
  }

  private static void write(StringBuilder json, Header header) {
    json.append('{');
    text(json, "name", header.name());
    text(json, "value", header.value());
    json.append('}');
  }

  private static <T> void list(
      StringBuilder json, String name, List<T> elements, Consumer<T> writing) {
    name(json, name).append('[');
    for (int i = 0; i < elements.size(); i++) {
      json.append(i == 0 ? "" : ",");
      writing.accept(elements.get(i));
    }
    json.append(']');
  }

  /** Writes a member of an object, unless it is null. */
  private static void text(StringBuilder json, String name, @Nullable String value) {
    if (value != null) {
      quote(name(json, name), value);
    }
  }

  private static StringBuilder name(StringBuilder json, String name) {
    boolean first = json.charAt(json.length() - 1) == '{';
    return json.append(first ? "\"" : ",\"").append(name).append("\":");
  }

  /**
   * Writes a text. What is escaped is part of the form: an email that comes again is known by the
   * digest of these bytes.
   */
  private static void quote(StringBuilder json, String text) {
    json.append('"');
    int written = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c == '"' || c == '\\' || Character.isSurrogate(c)) {
        json.append(text, written, i).append(escaped(c));
        written = i + 1;
      }
    }
    json.append(text, written, text.length()).append('"');
  }

  private static String escaped(char c) {
    return switch (c) {
      case '"' -> "\\\"";
      case '\\' -> "\\\\";
      case '\b' -> "\\b";
      case '\f' -> "\\f";
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      default -> "\\u" + HEX.toHexDigits(c);
    };
  }

  /**
   * Reads a payload back.
   *
   * @throws NewerPayloadException if only a newer release can read it
   * @throws UnreadablePayloadException if nobody can
   */
  public static Payload decode(Bytes bytes) {
    try {
      Fields json = Fields.read(bytes.toUtf8());
      int version = json.rest.path("v").asInt(0);
      if (version > VERSION) {
        throw new NewerPayloadException(version);
      }
      if (version < 1) {
        throw new UnreadablePayloadException("it has no version");
      }
      return new Payload(
          replyTo(json.rest.path("replyTo")),
          body(json.rest, json.data),
          attachments(json.rest.path("attachments")),
          headers(json.rest.path("headers")));
    } catch (JsonProcessingException e) {
      throw new UnreadablePayloadException("it is not JSON");
    } catch (InvalidEmailException e) {
      throw new UnreadablePayloadException(e.field() + ": " + e.problem());
    } catch (IOException | IllegalArgumentException e) {
      throw new UnreadablePayloadException(e.getClass().getSimpleName());
    }
  }

  /**
   * A payload's fields. The template's data is cut out as it was written before anything is parsed:
   * whoever reads it checks it anyway.
   */
  private record Fields(JsonNode rest, @Nullable String data) {

    /** No text inside JSON can look like this, because its quotes are escaped there. */
    private static final String DATA = "\"data\":{";

    static Fields read(String text) throws IOException {
      int found = text.indexOf(DATA);
      if (found < 0) {
        return new Fields(object(text), null);
      }
      int start = found + DATA.length() - 1;
      int end = endOfObject(text, start);
      return new Fields(
          object(text.substring(0, start) + "null" + text.substring(end)),
          text.substring(start, end));
    }

    private static JsonNode object(String text) throws IOException {
      JsonNode json = MAPPER.readTree(text);
      if (!json.isObject()) {
        throw new UnreadablePayloadException("it is not a JSON object");
      }
      return json;
    }

    private static int endOfObject(String text, int start) {
      boolean quoted = false;
      int depth = 0;
      for (int i = start; i < text.length(); i++) {
        char c = text.charAt(i);
        if (quoted && c == '\\') {
          i++;
        } else if (c == '"') {
          quoted = !quoted;
        } else if (!quoted && c == '{') {
          depth++;
        } else if (!quoted && c == '}' && --depth == 0) {
          return i + 1;
        }
      }
      throw new UnreadablePayloadException("it is not JSON");
    }
  }

  private static List<Address> replyTo(JsonNode json) {
    List<Address> addresses = new ArrayList<>();
    json.forEach(each -> addresses.add(Address.stored("replyTo", each.asText())));
    return addresses;
  }

  private static Body body(JsonNode json, @Nullable String data) {
    if (!json.has("template")) {
      return new Body.Inline(text(json, "html"), text(json, "text"));
    }
    if (data == null) {
      throw new UnreadablePayloadException("it has no data for its template");
    }
    String locale = text(json, "locale");
    return new Body.Templated(
        json.path("template").asText(),
        TemplateData.fromJson(data),
        locale == null ? null : Locale.forLanguageTag(locale));
  }

  private static List<Attachment> attachments(JsonNode json) throws IOException {
    List<Attachment> attachments = new ArrayList<>();
    for (JsonNode each : json) {
      attachments.add(
          new Attachment(
              each.path("name").asText(),
              each.path("type").asText(),
              content(each.path("content")),
              text(each, "cid")));
    }
    return attachments;
  }

  private static Bytes content(JsonNode json) throws IOException {
    byte[] content = json.binaryValue();
    if (content == null) {
      throw new UnreadablePayloadException("an attachment has no content");
    }
    return Bytes.owned(content);
  }

  private static List<Header> headers(JsonNode json) {
    List<Header> headers = new ArrayList<>();
    json.forEach(
        each -> headers.add(new Header(each.path("name").asText(), each.path("value").asText())));
    return headers;
  }

  private static @Nullable String text(JsonNode json, String field) {
    return json.hasNonNull(field) ? json.path(field).asText() : null;
  }
}
