package dev.outbox.javalin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.http.Context;
import java.io.IOException;

/**
 * JSON as it comes in and goes out. What comes in is bounded in depth and in the length of numbers,
 * names no field twice, and keeps the digits of its numbers.
 */
final class Json {

  private static final int MAX_DEPTH = 100;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MAX_DEPTH)
                          .maxNumberLength(100)
                          .maxNameLength(500)
                          .maxStringLength(Integer.MAX_VALUE)
                          .build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private Json() {}

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  static ArrayNode array() {
    return JsonNodeFactory.instance.arrayNode();
  }

  /** Reads one value; what it refuses is told without a word of it. */
  static JsonNode read(byte[] bytes) {
    JsonNode read;
    try {
      read = MAPPER.readTree(bytes);
    } catch (JsonProcessingException e) {
      var place = e.getLocation();
      throw Problem.malformed(
              place == null
                  ? "not JSON"
                  : "not JSON that can be used, at line %d, column %d"
                      .formatted(place.getLineNr(), place.getColumnNr()))
          .asException();
    } catch (IOException e) {
      throw Problem.malformed("not JSON").asException();
    }
    if (read == null || read.isMissingNode()) {
      throw Problem.malformed("the body is empty").asException();
    }
    return read;
  }

  /** Turns a value into maps, lists, texts and numbers. */
  static Object plain(JsonNode node) {
    return MAPPER.convertValue(node, Object.class);
  }

  static void write(Context context, JsonNode json) {
    write(context, "application/json", json);
  }

  static void write(Context context, String type, JsonNode json) {
    context.contentType(type).result(text(json));
  }

  static String text(JsonNode json) {
    try {
      return MAPPER.writeValueAsString(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("json that cannot be written", e);
    }
  }
}
