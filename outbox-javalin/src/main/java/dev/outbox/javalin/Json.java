package dev.outbox.javalin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamReadException;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * JSON as it comes in and goes out. What comes in is within {@link JsonLimits}, names no field
 * twice, and keeps the digits of its numbers.
 */
final class Json {

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(new JsonLimits())
                  .disable(JsonFactory.Feature.CHARSET_DETECTION)
                  // Names may be data: interned, they would accumulate in the JVM.
                  .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private static final byte[] MARK = "\ufeff".getBytes(StandardCharsets.UTF_8);

  private Json() {}

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  static ArrayNode array() {
    return JsonNodeFactory.instance.arrayNode();
  }

  /** Returns a parser of UTF-8, with or without a byte order mark, within {@link JsonLimits}. */
  static JsonParser parser(InputStream in) throws IOException {
    PushbackInputStream start = new PushbackInputStream(in, MARK.length);
    byte[] first = start.readNBytes(MARK.length);
    if (!Arrays.equals(first, MARK)) {
      start.unread(first);
    }
    return new AnyNumber(MAPPER.createParser(start));
  }

  /** Reads the value at which a parser stands. */
  static JsonNode value(JsonParser parser) throws IOException {
    return MAPPER.readTree(parser);
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

  /** A parser that also reads a number with an exponent beyond those of {@link BigDecimal}. */
  private static final class AnyNumber extends JsonParserDelegate {

    /** Stands for every number out of range; template data with it is rejected with its place. */
    private static final BigDecimal OUT_OF_RANGE =
        new BigDecimal(BigInteger.ONE, Integer.MIN_VALUE);

    AnyNumber(JsonParser parser) {
      super(parser);
    }

    @Override
    public BigDecimal getDecimalValue() throws IOException {
      try {
        return super.getDecimalValue();
      } catch (StreamReadException | NumberFormatException e) {
        return OUT_OF_RANGE;
      }
    }
  }
}
