package dev.outbox.javalin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outbox.event.OutboxEvent;
import java.util.Locale;

/** Events as JSON, without anything personal. */
final class EventJson {

  private EventJson() {}

  static ObjectNode of(OutboxEvent event) {
    ObjectNode json = Json.object().put("type", type(event)).put("id", event.id().toString());
    if (event instanceof OutboxEvent.EmailSent sent) {
      json.put("attempts", sent.attempts());
    } else if (event instanceof OutboxEvent.EmailRetryScheduled retry) {
      json.put("attempts", retry.attempts()).put("delaySeconds", retry.delay().toSeconds());
    } else if (event instanceof OutboxEvent.EmailFailed failed) {
      json.put("code", failed.code().name());
    } else if (event instanceof OutboxEvent.EmailReaped reaped) {
      json.put("reaps", reaped.reaps());
    } else if (event instanceof OutboxEvent.CallbackAcknowledged told) {
      json.put("outcome", told.outcome().wireName());
    } else if (event instanceof OutboxEvent.CallbackAbandoned untold) {
      json.put("outcome", untold.outcome().wireName());
    }
    return json;
  }

  /** Returns the name of an event on the wire: {@code EmailRetryScheduled} is retry-scheduled. */
  static String type(OutboxEvent event) {
    return event
        .getClass()
        .getSimpleName()
        .replaceFirst("^Email", "")
        .replaceAll("(?<=[a-z])(?=[A-Z])", "-")
        .toLowerCase(Locale.ROOT);
  }
}
