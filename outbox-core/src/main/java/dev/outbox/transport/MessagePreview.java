package dev.outbox.transport;

import dev.outbox.email.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A stored email as its receivers get it, for people who look at it.
 *
 * @param message the rendered email; null if it cannot be rendered here
 * @param raw the message as it goes over the wire; null if it is neither stored nor can be made
 * @param problem why it cannot be rendered here, in our words; null otherwise
 */
public record MessagePreview(
    @Nullable RenderedMessage message, @Nullable Bytes raw, @Nullable String problem) {

  /** Shows the id only. */
  @Override
  public String toString() {
    return "MessagePreview[" + message + "]";
  }
}
