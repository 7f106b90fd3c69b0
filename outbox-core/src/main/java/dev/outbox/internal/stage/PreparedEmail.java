package dev.outbox.internal.stage;

import dev.outbox.email.Bytes;
import dev.outbox.store.Claim;
import org.jspecify.annotations.Nullable;

/**
 * An email that can go to the wire.
 *
 * @param claim what holds it
 * @param message the composed bytes
 * @param subject the subject that the template gave; null if it is stored already
 * @param claimedAt when it was claimed, by the monotonic clock
 */
public record PreparedEmail(Claim claim, Bytes message, @Nullable String subject, long claimedAt) {

  /** Returns the same under the claim as it is after proceeding. */
  PreparedEmail under(Claim proceeded) {
    return new PreparedEmail(proceeded, message, subject, claimedAt);
  }

  /** Returns the bytes if they still have to be stored for a later try. */
  @Nullable Bytes unstored() {
    return claim.composed() ? null : message;
  }
}
