package dev.outbox.callback;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What came of one call. */
public sealed interface CallbackResult {

  /**
   * The host knows.
   *
   * @param detail what it answered, for the history; or null
   */
  record Acknowledged(@Nullable String detail) implements CallbackResult {

    /** Shows nothing of the answer. */
    @Override
    public String toString() {
      return "Acknowledged";
    }
  }

  /**
   * The host could not take it now.
   *
   * @param retryAfter how long it asked us to wait; null if it did not
   * @param reason why, in our words; it is logged, so nothing of the answer may be in it
   * @param detail what it answered, for the history; or null
   */
  record Unavailable(@Nullable Duration retryAfter, String reason, @Nullable String detail)
      implements CallbackResult {

    /** Shows nothing of the answer. */
    @Override
    public String toString() {
      return "Unavailable[" + reason + "]";
    }
  }

  /**
   * The host will never take it in this form.
   *
   * @param reason why, in our words; it is logged, so nothing of the answer may be in it
   * @param detail what it answered, for the history; or null
   */
  record Rejected(String reason, @Nullable String detail) implements CallbackResult {

    /** Shows nothing of the answer. */
    @Override
    public String toString() {
      return "Rejected[" + reason + "]";
    }
  }
}
