package dev.outbox.email;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One run over a JSON object that makes an unmodifiable tree of it. */
final class TemplateDataReader {

  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          // keys are data: interned, they would pile up in the JVM
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(TemplateDataLimits.DEPTH)
                  .maxStringLength(TemplateDataLimits.CHARS)
                  .maxNameLength(TemplateDataLimits.KEY)
                  .maxNumberLength(TemplateDataLimits.DIGITS + 20)
                  .build())
          .build();

  private final JsonParser json;

  private TemplateDataReader(JsonParser json) {
    this.json = json;
  }

  static Map<String, @Nullable Object> read(String text) {
    if (text.length() > TemplateDataLimits.CHARS) {
      throw new InvalidEmailException(
          "data", "is longer than " + TemplateDataLimits.CHARS + " characters of JSON");
    }
    try (JsonParser json = FACTORY.createParser(text)) {
      return readRoot(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, @Nullable Object> readRoot(JsonParser json) {
    TemplateDataReader reader = new TemplateDataReader(json);
    try {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw reader.refusal("is not a JSON object");
      }
      Map<String, @Nullable Object> root = reader.object();
      if (json.nextToken() != null) {
        throw reader.refusal("has something after its JSON object");
      }
      return root;
    } catch (IOException | NumberFormatException e) {
      // the parser's text quotes the JSON, so neither it nor the exception goes any further
      throw reader.refusal("is not readable as JSON");
    }
  }

  private Map<String, @Nullable Object> object() throws IOException {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      accept(TemplateDataLimits.problemOfKey(name));
      json.nextToken();
      if (members.containsKey(name)) {
        throw refusal("has the same key twice");
      }
      members.put(name, value());
    }
    return Collections.unmodifiableMap(members);
  }

  private List<@Nullable Object> array() throws IOException {
    List<@Nullable Object> elements = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      elements.add(value());
    }
    return Collections.unmodifiableList(elements);
  }

  private @Nullable Object value() throws IOException {
    JsonToken token = json.currentToken();
    if (token == null) {
      throw refusal("ends too early");
    }
    return switch (token) {
      case START_OBJECT -> object();
      case START_ARRAY -> array();
      case VALUE_STRING -> text();
      case VALUE_NUMBER_INT -> whole();
      case VALUE_NUMBER_FLOAT -> decimal();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> throw refusal("is not readable as JSON");
    };
  }

  private String text() throws IOException {
    String text = json.getText();
    accept(TemplateDataLimits.problemOf(text));
    return text;
  }

  private Number whole() throws IOException {
    if (json.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
      return json.getLongValue();
    }
    BigInteger number = json.getBigIntegerValue();
    accept(TemplateDataLimits.problemOf(number));
    return number;
  }

  private BigDecimal decimal() throws IOException {
    BigDecimal number = json.getDecimalValue();
    accept(TemplateDataLimits.problemOf(number));
    return number;
  }

  private void accept(@Nullable String problem) {
    if (problem != null) {
      throw refusal(problem);
    }
  }

  private InvalidEmailException refusal(String problem) {
    JsonLocation at = json.currentLocation();
    return new InvalidEmailException(
        "data", problem + " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")");
  }
}
