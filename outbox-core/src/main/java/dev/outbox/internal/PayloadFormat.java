package dev.outbox.internal;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outbox.email.Address;
import dev.outbox.email.Attachment;
import dev.outbox.email.Body;
import dev.outbox.email.Bytes;
import dev.outbox.email.Header;
import dev.outbox.email.TemplateData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Payloads as JSON with a version in front, so that an older node knows what it cannot read.
 * Immutable.
 */
final class PayloadFormat {

  /** The version this release writes, and the newest it reads. */
  static final int VERSION = 1;

  private static final JsonMapper MAPPER = mapper();

  private static JsonMapper mapper() {
    JsonMapper mapper =
        JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();
    mapper
        .getFactory()
        .setStreamReadConstraints(
            StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build());
    return mapper;
  }

  private PayloadFormat() {}

  static Bytes encode(Payload payload) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512 + length(payload.body()));
    try (JsonGenerator json = MAPPER.createGenerator(bytes)) {
      json.writeStartObject();
      json.writeNumberField("v", VERSION);
      json.writeArrayFieldStart("replyTo");
      for (Address address : payload.replyTo()) {
        json.writeString(address.format());
      }
      json.writeEndArray();
      write(json, bytes, payload.body());
      json.writeArrayFieldStart("attachments");
      for (Attachment attachment : payload.attachments()) {
        json.writeStartObject();
        json.writeStringField("name", attachment.fileName());
        json.writeStringField("type", attachment.contentType());
        if (attachment.contentId() != null) {
          json.writeStringField("cid", attachment.contentId());
        }
        json.writeBinaryField("content", attachment.content().toArray());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeArrayFieldStart("headers");
      for (Header header : payload.headers()) {
        json.writeStartObject();
        json.writeStringField("name", header.name());
        json.writeStringField("value", header.value());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("a payload that cannot be written", e);
    }
    return Bytes.owned(bytes.toByteArray());
  }

  /** Returns about how long a body is, so that memory is mostly asked for once. */
  private static int length(Body body) {
    return body instanceof Body.Templated templated ? templated.data().json().length() : 1024;
  }

  private static void write(JsonGenerator json, OutputStream bytes, Body body) throws IOException {
    if (body instanceof Body.Templated templated) {
      json.writeStringField("template", templated.template());
      if (templated.locale() != null) {
        json.writeStringField("locale", templated.locale().toLanguageTag());
      }
      json.writeFieldName("data");
      json.writeRawValue("");
      // What is JSON already goes past the generator, which would look at each of its characters.
      json.flush();
      bytes.write(templated.data().json().getBytes(StandardCharsets.UTF_8));
    } else if (body instanceof Body.Inline inline) {
      if (inline.html() != null) {
        json.writeStringField("html", inline.html());
      }
      if (inline.text() != null) {
        json.writeStringField("text", inline.text());
      }
    }
  }

  /**
   * Reads a payload back.
   *
   * @throws NewerPayloadException if only a newer release can read it
   * @throws UnreadablePayloadException if nobody can
   */
  static Payload decode(Bytes bytes) {
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
    } catch (IOException | IllegalArgumentException e) {
      throw new UnreadablePayloadException(e.getClass().getSimpleName());
    }
  }

  /**
   * A payload's fields. The template's data is left as it was written: whoever reads it checks it
   * anyway, and a tree made of it here would only be written out again.
   */
  private record Fields(ObjectNode rest, @Nullable String data) {

    static Fields read(String text) throws IOException {
      ObjectNode rest = MAPPER.createObjectNode();
      String data = null;
      try (JsonParser json = MAPPER.createParser(text)) {
        if (json.nextToken() != JsonToken.START_OBJECT) {
          throw new UnreadablePayloadException("it is not a JSON object");
        }
        while (json.nextToken() == JsonToken.FIELD_NAME) {
          String name = json.currentName();
          json.nextToken();
          if (name.equals("data")) {
            long start = json.currentTokenLocation().getCharOffset();
            json.skipChildren();
            data = text.substring((int) start, (int) json.currentLocation().getCharOffset());
          } else {
            rest.set(name, json.<JsonNode>readValueAsTree());
          }
        }
      }
      return new Fields(rest, data);
    }
  }

  private static List<Address> replyTo(JsonNode json) {
    List<Address> addresses = new ArrayList<>();
    json.forEach(each -> addresses.add(Address.parse("replyTo", each.asText())));
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
