package dev.outbox.javalin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outbox.email.InvalidEmailException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one JSON object, each read as what it should be. A refusal names the field by its
 * path and shows nothing of what is in it; a field that nobody knows is refused too.
 */
final class JsonFields {

  /** The name of the whole body in an answer. */
  static final String BODY = "body";

  /** What a field that nobody knows may be called in an answer; anything else may be content. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_]{1,40}");

  private final String path;
  private final JsonNode node;

  private JsonFields(String path, JsonNode node) {
    this.path = path;
    this.node = node;
  }

  /**
   * Looks at an object.
   *
   * @param path what stands before the names of its fields; empty, or such as {@code
   *     attachments[0]}
   */
  static JsonFields of(String path, JsonNode node, Set<String> known) {
    if (!node.isObject()) {
      throw new InvalidEmailException(path.isEmpty() ? BODY : path, "not an object");
    }
    node.fieldNames()
        .forEachRemaining(
            name -> {
              if (!known.contains(name)) {
                String shown = shown(name);
                throw new InvalidEmailException(
                    path.isEmpty() ? shown : path + "." + shown, unknown(known));
              }
            });
    return new JsonFields(path, node);
  }

  /** Returns the name of an unknown field or parameter if an answer may show it. */
  static String shown(String name) {
    return PLAIN.matcher(name).matches() ? name : "?";
  }

  /** Returns the detail of a problem with an unknown name. */
  static String unknown(Set<String> known) {
    return known.isEmpty()
        ? "unknown; there are none"
        : "unknown; there are " + known.stream().sorted().toList();
  }

  String path(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  /** Returns a value, or null if it is missing or null. */
  @Nullable JsonNode get(String name) {
    JsonNode value = node.get(name);
    return value == null || value.isNull() ? null : value;
  }

  @Nullable String text(String name) {
    JsonNode value = get(name);
    if (value != null && !value.isTextual()) {
      throw new InvalidEmailException(path(name), "not a text");
    }
    return value == null ? null : value.textValue();
  }

  String required(String name) {
    String text = text(name);
    if (text == null) {
      throw new InvalidEmailException(path(name), "missing");
    }
    return text;
  }

  /** Reads one text or a list of texts. */
  List<String> texts(String name) {
    JsonNode value = get(name);
    if (value == null) {
      return List.of();
    }
    if (value.isTextual()) {
      return List.of(value.textValue());
    }
    List<String> texts = new ArrayList<>();
    for (JsonNode each : list(name)) {
      if (!each.isTextual()) {
        throw new InvalidEmailException(path(name) + "[" + texts.size() + "]", "not a text");
      }
      texts.add(each.textValue());
    }
    return texts;
  }

  List<JsonNode> list(String name) {
    JsonNode value = get(name);
    if (value == null) {
      return List.of();
    }
    if (!value.isArray()) {
      throw new InvalidEmailException(path(name), "not a list");
    }
    List<JsonNode> items = new ArrayList<>();
    value.forEach(items::add);
    return items;
  }

  /** Reads a text that has a form; whatever the reader throws is the field's fault. */
  <T> @Nullable T parsed(String name, Function<String, T> reader, String form) {
    String text = text(name);
    if (text == null) {
      return null;
    }
    try {
      return reader.apply(text);
    } catch (InvalidEmailException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new InvalidEmailException(path(name), "not " + form);
    }
  }
}
