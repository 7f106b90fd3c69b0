package dev.outbox.javalin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outbox.email.EmailId;
import io.javalin.http.Context;
import io.javalin.http.Header;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * An answer that says what is wrong, as RFC 9457 has it.
 *
 * @param status the HTTP status
 * @param type which kind of problem, for programs
 * @param title the same for people
 * @param detail what is wrong this time, without content
 * @param field the field at fault, or null
 * @param email the email that is in the way, or null
 */
record ProblemDetails(
    int status,
    String type,
    String title,
    String detail,
    @Nullable String field,
    @Nullable EmailId email) {

  private static final String TYPE = "application/problem+json";

  static ProblemDetails malformed(String detail) {
    return new ProblemDetails(
        400, "malformed-request", "The request cannot be read", detail, null, null);
  }

  static ProblemDetails malformed(String field, String detail) {
    return new ProblemDetails(
        400, "malformed-request", "The request cannot be read", detail, field, null);
  }

  static ProblemDetails badParameter(String name, String detail) {
    return new ProblemDetails(
        400, "bad-parameter", "A parameter cannot be used", detail, name, null);
  }

  static ProblemDetails forbidden(String detail) {
    return new ProblemDetails(403, "forbidden", "This is not allowed", detail, null, null);
  }

  static ProblemDetails forbiddenParameter(String name) {
    return new ProblemDetails(
        403,
        "forbidden",
        "This is not allowed",
        "a search by this needs the right to see addresses and content",
        name,
        null);
  }

  static ProblemDetails notFound(String detail) {
    return new ProblemDetails(404, "not-found", "There is no such thing", detail, null, null);
  }

  static ProblemDetails notAcceptable(String detail) {
    return new ProblemDetails(406, "not-acceptable", "There is no such form", detail, null, null);
  }

  static ProblemDetails refused(EmailId id, String detail) {
    return new ProblemDetails(
        409, "refused", "The email's state does not allow this", detail, null, id);
  }

  static ProblemDetails conflictingKey(EmailId holder) {
    return new ProblemDetails(
        409,
        "idempotency-conflict",
        "The idempotency key was used for another email",
        "the email that has the key is named; this one was not stored",
        "idempotencyKey",
        holder);
  }

  static ProblemDetails tooLarge(@Nullable String field, String detail) {
    return new ProblemDetails(413, "too-large", "The request is too large", detail, field, null);
  }

  static ProblemDetails notJson() {
    return new ProblemDetails(
        415, "not-json", "The request has the wrong type", "want application/json", null, null);
  }

  static ProblemDetails misdirected() {
    return new ProblemDetails(
        421,
        "misdirected",
        "This host is not served here",
        "the Host header names none of the allowed hosts",
        null,
        null);
  }

  static ProblemDetails invalid(String field, String detail) {
    return new ProblemDetails(
        422, "invalid-email", "The email cannot be accepted", detail, field, null);
  }

  static ProblemDetails tooManyStreams(int limit) {
    return new ProblemDetails(
        429,
        "too-many-streams",
        "Too many event streams",
        "this caller has %d event streams open; close one".formatted(limit),
        null,
        null);
  }

  static ProblemDetails broken() {
    return new ProblemDetails(
        500, "failure", "Something went wrong", "the log says more", null, null);
  }

  static ProblemDetails unavailable(String detail) {
    return new ProblemDetails(503, "unavailable", "Not now", detail, null, null);
  }

  ProblemException asException() {
    return new ProblemException(this);
  }

  ObjectNode json() {
    ObjectNode json =
        Json.object()
            .put("type", "urn:outbox:" + type)
            .put("title", title)
            .put("status", status)
            .put("detail", detail);
    if (field != null) {
      json.put("field", field);
    }
    if (email != null) {
      json.put("email", email.toString());
    }
    return json;
  }

  void write(Context context) {
    if (status == 429 || status == 503) {
      context.header(Header.RETRY_AFTER, "5");
    }
    Json.write(context.status(status), TYPE, json());
  }

  /**
   * Sends this as the whole answer at once, while the request may still be arriving; {@link #write}
   * has no effect afterwards.
   */
  void send(Context context) throws IOException {
    byte[] body = Json.text(json()).getBytes(StandardCharsets.UTF_8);
    var response = context.res();
    response.setStatus(status);
    response.setContentType(TYPE);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
    response.flushBuffer();
  }
}
