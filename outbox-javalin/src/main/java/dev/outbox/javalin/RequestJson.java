package dev.outbox.javalin;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The JSON of one request, read piece by piece. What cannot be read is answered with the place, and
 * without anything of its content.
 */
final class RequestJson {

  private final JsonParser parser;

  private RequestJson(JsonParser parser) {
    this.parser = parser;
  }

  /** Reads one value, after which nothing may follow. */
  static JsonNode read(InputStream in) {
    return reading(in, RequestJson::only);
  }

  /**
   * Reads an object with one list, and hands each of its items over before it reads the next one.
   *
   * @param name the name of the list
   * @param most how many items there may be; at least one is needed
   * @return how many items there are
   */
  static int readList(InputStream in, String name, int most, Consumer<JsonNode> action) {
    return reading(in, json -> json.items(name, most, action));
  }

  private interface Reading<T> {
    T from(RequestJson json) throws IOException;
  }

  private static <T> T reading(InputStream in, Reading<T> reading) {
    try (JsonParser parser = Json.parser(in)) {
      RequestJson json = new RequestJson(parser);
      try {
        return reading.from(json);
      } catch (LimitExceededException e) {
        JsonStreamContext at = parser.getParsingContext();
        JsonStreamContext around = at.getParent();
        throw e.problem(place(at), around == null ? JsonFields.BODY : place(around)).asException();
      }
    } catch (LimitExceededException e) {
      throw e.problem(JsonFields.BODY, JsonFields.BODY).asException();
    } catch (JsonProcessingException e) {
      throw ProblemDetails.malformed(notJson(e)).asException();
    } catch (IOException e) {
      throw ProblemDetails.malformed("the body ended early").asException();
    }
  }

  private static String notJson(JsonProcessingException e) {
    var place = e.getLocation();
    return place == null
        ? "not JSON"
        : "not JSON that can be used, at line %d, column %d"
            .formatted(place.getLineNr(), place.getColumnNr());
  }

  private JsonNode only() throws IOException {
    begin();
    JsonNode value = Json.value(parser);
    end();
    return value;
  }

  private int items(String name, int most, Consumer<JsonNode> action) throws IOException {
    if (begin() != JsonToken.START_OBJECT) {
      throw ProblemDetails.invalid(JsonFields.BODY, "not an object").asException();
    }
    int count = 0;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      if (!name.equals(parser.currentName())) {
        throw ProblemDetails.invalid(
                JsonFields.shown(parser.currentName()), JsonFields.unknown(Set.of(name)))
            .asException();
      }
      JsonToken value = parser.nextToken();
      if (value == JsonToken.START_ARRAY) {
        count = listed(name, most, action);
      } else if (value != JsonToken.VALUE_NULL) {
        throw ProblemDetails.invalid(name, "not a list").asException();
      }
    }
    end();
    if (count == 0) {
      throw ProblemDetails.invalid(name, "want 1 to %d, are 0".formatted(most)).asException();
    }
    return count;
  }

  private int listed(String name, int most, Consumer<JsonNode> action) throws IOException {
    int count = 0;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (++count > most) {
        throw ProblemDetails.tooLarge(name, "more than %d %s".formatted(most, name)).asException();
      }
      action.accept(Json.value(parser));
    }
    return count;
  }

  private JsonToken begin() throws IOException {
    JsonToken first = parser.nextToken();
    if (first == null) {
      throw ProblemDetails.malformed("the body is empty").asException();
    }
    return first;
  }

  private void end() throws IOException {
    if (parser.nextToken() != null) {
      throw ProblemDetails.malformed("something follows the JSON").asException();
    }
  }

  /** Returns the place of the value that is being read, such as {@code emails[3].data.total}. */
  private static String place(JsonStreamContext at) {
    StringBuilder place = new StringBuilder();
    for (JsonStreamContext each = at; each != null; each = each.getParent()) {
      if (each.inArray() && each.hasCurrentIndex()) {
        place.insert(0, "[" + each.getCurrentIndex() + "]");
      } else if (each.inObject() && each.hasCurrentName()) {
        place.insert(0, "." + JsonFields.shown(each.getCurrentName()));
      }
    }
    if (place.isEmpty()) {
      return JsonFields.BODY;
    }
    return place.charAt(0) == '.' ? place.substring(1) : place.toString();
  }
}
