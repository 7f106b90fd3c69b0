package dev.outbox.store;

import dev.outbox.email.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The content of a stored email.
 *
 * @param payload as it was inserted
 * @param composed the message as it goes over the wire; null if that is not stored
 */
public record StoredContent(Bytes payload, @Nullable Bytes composed) {

  /** Returns how many bytes there are in all. */
  public long length() {
    return (long) payload.length() + (composed == null ? 0 : composed.length());
  }
}
