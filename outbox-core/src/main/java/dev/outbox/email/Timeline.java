package dev.outbox.email;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The times of an email's normal way, all by the store's clock; each is the latest of its kind.
 *
 * @param created when it was stored; the email's {@code Date}
 * @param preparing when its rendering began
 * @param prepared when it was rendered
 * @param sending when it last went to the wire
 * @param sent when the relay's acceptance was recorded
 * @param settled when it was recorded what became of it: sent, failed or invalid
 * @param updated when anything last changed
 */
public record Timeline(
    Instant created,
    @Nullable Instant preparing,
    @Nullable Instant prepared,
    @Nullable Instant sending,
    @Nullable Instant sent,
    @Nullable Instant settled,
    Instant updated) {

  /** Returns the times of an email that has just been stored. */
  public static Timeline startingAt(Instant created) {
    return new Timeline(created, null, null, null, null, null, created);
  }
}
