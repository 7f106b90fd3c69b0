package dev.outbox.javalin;

import com.fasterxml.jackson.databind.JsonNode;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;

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

  /** Reads the whole body as one value. */
  JsonNode read(Context context) {
    return read(context, RequestJson::read);
  }

  /**
   * Reads an object with one list, and hands each of its items over before it reads the next one.
   * If it throws, some items may have been handed over.
   *
   * @param most how many items there may be; at least one is needed
   * @return how many items there are
   */
  int readList(Context context, String name, int most, Consumer<JsonNode> action) {
    return read(context, in -> RequestJson.readList(in, name, most, action));
  }

  private <T> T read(Context context, Function<InputStream, T> reading) {
    if (!isJson(context)) {
      throw ProblemDetails.notJson().asException();
    }
    if (context.req().getContentLengthLong() > limit) {
      throw LimitedInput.tooLong(limit).problem(JsonFields.BODY, JsonFields.BODY).asException();
    }
    InputStream in = context.bodyInputStream();
    try {
      return reading.apply(new LimitedInput(in, limit));
    } catch (ProblemException e) {
      answer(context, e.problem(), in);
      throw e;
    }
  }

  /**
   * Answers before the rest of the request is read, and then discards the rest, up to the limit. If
   * the connection were closed instead, many clients would find it broken while they send, and
   * never read the answer.
   */
  private void answer(Context context, ProblemDetails problem, InputStream rest) {
    try {
      problem.send(context);
      byte[] discarded = new byte[8_192];
      int count = rest.read(discarded);
      for (long left = limit; count >= 0 && left > 0; left -= count) {
        count = rest.read(discarded);
      }
    } catch (IOException e) {
      // The client has gone, or sends no more.
    }
  }
}
