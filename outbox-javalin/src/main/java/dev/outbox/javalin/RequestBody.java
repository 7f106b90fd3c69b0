package dev.outbox.javalin;

import com.fasterxml.jackson.databind.JsonNode;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/** Reads the JSON of a request, up to a size. */
final class RequestBody {

  private final int limit;

  RequestBody(int limit) {
    this.limit = limit;
  }

  static boolean isJson(Context context) {
    String type = context.contentType();
    return type != null
        && type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals("application/json");
  }

  JsonNode read(Context context) {
    if (!isJson(context)) {
      throw Problem.notJson().asException();
    }
    return Json.read(bytes(context));
  }

  private byte[] bytes(Context context) {
    if (context.req().getContentLengthLong() > limit) {
      throw Problem.tooLarge(limit).asException();
    }
    try (InputStream in = context.bodyInputStream()) {
      byte[] bytes = in.readNBytes(limit);
      if (bytes.length == limit && in.read() >= 0) {
        throw Problem.tooLarge(limit).asException();
      }
      return bytes;
    } catch (IOException e) {
      throw Problem.malformed("the body ended early").asException();
    }
  }
}
