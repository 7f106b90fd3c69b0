package dev.outbox.email;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.MonthDay;
import java.time.ZoneId;
import java.time.temporal.Temporal;
import java.time.temporal.TemporalAmount;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One run over a host's objects that writes them as JSON, or refuses with the path it has reached.
 */
final class TemplateDataWriter {

  private static final JsonFactory FACTORY = new JsonFactory();
  private static final Pattern PLAIN_KEY = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  private final StringWriter out = new StringWriter();
  private final JsonGenerator json;
  private final Deque<String> path = new ArrayDeque<>();
  private int depth;

  private TemplateDataWriter() throws IOException {
    json = FACTORY.createGenerator(out);
  }

  static String write(@Nullable Object root) {
    if (!(root instanceof Map) && !(root instanceof Record)) {
      throw new InvalidEmailException("data", "must be a map or a record, not " + type(root));
    }
    try {
      return new TemplateDataWriter().writeRoot(root);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String writeRoot(Object root) throws IOException {
    try (json) {
      value(root);
    } catch (InvalidEmailException e) {
      throw e;
    } catch (RuntimeException e) {
      // thrown by the host's collection or text; its message may quote content, so it goes no
      // further
      throw refusal("cannot be read: " + type(e));
    }
    checkSize();
    return out.toString();
  }

  private void value(@Nullable Object value) throws IOException {
    if (value == null) {
      json.writeNull();
    } else if (value instanceof Record record) {
      record(record);
    } else if (value instanceof Map<?, ?> map) {
      map(map);
    } else if (value instanceof Collection<?> collection) {
      list(collection);
    } else if (value.getClass().isArray()) {
      array(value);
    } else if (value instanceof Optional<?> optional) {
      value(optional.isPresent() ? optional.get() : null);
    } else {
      scalar(value);
    }
    checkSize();
  }

  private void scalar(Object value) throws IOException {
    if (value instanceof CharSequence || value instanceof Character) {
      text(value.toString());
    } else if (value instanceof Boolean truth) {
      json.writeBoolean(truth);
    } else if (value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte) {
      json.writeNumber(((Number) value).longValue());
    } else if (value instanceof BigInteger number) {
      accept(TemplateDataLimits.problemOf(number));
      json.writeNumber(number);
    } else if (value instanceof BigDecimal number) {
      accept(TemplateDataLimits.problemOf(number));
      json.writeNumber(number);
    } else if (value instanceof Double || value instanceof Float) {
      floating((Number) value);
    } else if (value instanceof Enum<?> constant) {
      text(constant.name());
    } else if (value instanceof UUID || value instanceof URI || isJavaTime(value)) {
      text(value.toString());
    } else if (value instanceof OptionalInt number) {
      value(number.isPresent() ? number.getAsInt() : null);
    } else if (value instanceof OptionalLong number) {
      value(number.isPresent() ? number.getAsLong() : null);
    } else if (value instanceof OptionalDouble number) {
      value(number.isPresent() ? number.getAsDouble() : null);
    } else {
      throw refusal("cannot be of type " + type(value));
    }
  }

  private static boolean isJavaTime(Object value) {
    return value.getClass().getPackageName().equals("java.time")
        && (value instanceof Temporal
            || value instanceof TemporalAmount
            || value instanceof MonthDay
            || value instanceof ZoneId);
  }

  private void floating(Number number) throws IOException {
    if (!Double.isFinite(number.doubleValue())) {
      throw refusal("must be a finite number");
    }
    json.writeNumber(new BigDecimal(number.toString()));
  }

  private void text(String text) throws IOException {
    accept(TemplateDataLimits.problemOf(text));
    json.writeString(text);
  }

  private void map(Map<?, ?> map) throws IOException {
    // Map.of iterates in another order in each JVM; sorted, the same data has the same fingerprint
    TreeMap<String, @Nullable Object> sorted = new TreeMap<>();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      if (!(entry.getKey() instanceof String key)) {
        throw refusal("has a key of type " + type(entry.getKey()) + ", keys must be String");
      }
      accept(TemplateDataLimits.problemOfKey(key));
      sorted.put(key, entry.getValue());
    }
    enter();
    json.writeStartObject();
    for (Map.Entry<String, @Nullable Object> entry : sorted.entrySet()) {
      member(entry.getKey(), entry.getValue());
    }
    json.writeEndObject();
    depth--;
  }

  private void record(Record record) throws IOException {
    enter();
    json.writeStartObject();
    for (RecordComponents.Component component : shapeOf(record).components()) {
      path.addLast("." + component.name());
      Object value;
      try {
        value = component.valueIn(record);
      } catch (RecordComponents.AccessorFailed e) {
        throw refusal("cannot be read: " + e.getMessage());
      }
      path.removeLast();
      member(component.name(), value);
    }
    json.writeEndObject();
    depth--;
  }

  private RecordComponents shapeOf(Record record) {
    RecordComponents shape = RecordComponents.of(record);
    if (shape == null) {
      throw refusal("cannot be of type " + type(record) + ": its module is not open to Outbox");
    }
    return shape;
  }

  private void member(String name, @Nullable Object value) throws IOException {
    path.addLast("." + (PLAIN_KEY.matcher(name).matches() ? name : "?"));
    json.writeFieldName(name);
    value(value);
    path.removeLast();
  }

  private void list(Collection<?> collection) throws IOException {
    enter();
    json.writeStartArray();
    int index = 0;
    for (Object element : collection) {
      element(index++, element);
    }
    json.writeEndArray();
    depth--;
  }

  private void array(Object array) throws IOException {
    enter();
    json.writeStartArray();
    for (int i = 0; i < Array.getLength(array); i++) {
      element(i, Array.get(array, i));
    }
    json.writeEndArray();
    depth--;
  }

  private void element(int index, @Nullable Object value) throws IOException {
    path.addLast("[" + index + "]");
    value(value);
    path.removeLast();
  }

  private void enter() {
    if (++depth > TemplateDataLimits.DEPTH) {
      throw refusal(
          "is nested deeper than " + TemplateDataLimits.DEPTH + " levels, or contains itself");
    }
  }

  private void checkSize() {
    // also ends the run over a collection that never ends
    if (out.getBuffer().length() > TemplateDataLimits.CHARS) {
      throw new InvalidEmailException(
          "data", "is longer than " + TemplateDataLimits.CHARS + " characters of JSON");
    }
  }

  private void accept(@Nullable String problem) {
    if (problem != null) {
      throw refusal(problem);
    }
  }

  private InvalidEmailException refusal(String problem) {
    return new InvalidEmailException("data" + String.join("", path), problem);
  }

  private static String type(@Nullable Object value) {
    return value == null ? "null" : value.getClass().getTypeName();
  }
}
