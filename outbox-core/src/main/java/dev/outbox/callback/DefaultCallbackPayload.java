package dev.outbox.callback;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.outbox.email.State;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** The form of a callback that is documented in {@link CallbackPayload#standard()}. */
final class DefaultCallbackPayload {

  private static final JsonFactory JSON = new JsonFactory();

  private DefaultCallbackPayload() {}

  static String json(CallbackNotice notice) {
    StringWriter text = new StringWriter(256);
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("id", notice.id().toString());
      json.writeStringField(
          "code", notice.outcome() == State.SENT ? "TRAVELING" : "DISPATCH-ERROR");
      json.writeStringField("status", notice.outcome().wireName());
      json.writeStringField("failure", notice.code() == null ? null : notice.code().name());
      json.writeStringField("reached_at", notice.reachedAt().toString());
      json.writeStringField("reason", notice.reason());
      json.writeNumberField("attempts", notice.attempts());
      json.writeStringField("request_id", notice.requestId());
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("a notice that cannot be written", e);
    }
    return text.toString();
  }
}
