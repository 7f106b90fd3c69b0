package dev.outbox.javalin;

import dev.outbox.email.Bytes;
import dev.outbox.transport.Envelope;
import dev.outbox.transport.RenderedMessage;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An email that the development inbox has caught.
 *
 * @param number counts deliveries; one email may be delivered more than once
 * @param at when
 * @param envelope who sent to whom
 * @param message what was rendered; empty if another process composed it
 * @param raw what would have gone over the wire
 */
record CapturedEmail(
    long number, Instant at, Envelope envelope, Optional<RenderedMessage> message, Bytes raw) {

  boolean isTo(String part) {
    return envelope.recipients().stream().anyMatch(address -> has(address.email(), part));
  }

  boolean isFrom(String part) {
    return has(envelope.from().email(), part);
  }

  boolean hasSubject(String part) {
    return has(subject(), part);
  }

  /** Looks for a text in all that a reader sees. */
  boolean contains(String part) {
    return isTo(part)
        || isFrom(part)
        || message.stream()
            .flatMap(
                each ->
                    Stream.of(
                        each.subject(), String.valueOf(each.text()), String.valueOf(each.html())))
            .anyMatch(text -> has(text, part));
  }

  String subject() {
    return message.map(RenderedMessage::subject).orElse("");
  }

  /** Shows nothing personal. */
  @Override
  public String toString() {
    return "Captured[%d, %s]".formatted(number, envelope);
  }

  private static boolean has(String text, String part) {
    return text.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT));
  }
}
