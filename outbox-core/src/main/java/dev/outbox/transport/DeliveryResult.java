package dev.outbox.transport;

import dev.outbox.email.RecipientResult;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What came of one delivery. */
public sealed interface DeliveryResult {

  /**
   * The relay has answered for every recipient: accepted, refused for good, or open, which uses up
   * an attempt and is tried again.
   *
   * @param recipients one for each recipient of the envelope
   * @param response the relay's last words, or null
   */
  record Answered(List<RecipientResult> recipients, @Nullable String response)
      implements DeliveryResult {

    /** Copies the list. */
    public Answered {
      recipients = List.copyOf(recipients);
    }

    /** Shows nothing of what was said. */
    @Override
    public String toString() {
      return "Answered[recipients=" + recipients.size() + "]";
    }
  }

  /**
   * The relay did not want to hear about this email now, or could not be reached, for reasons that
   * have nothing to do with the email. No attempt is used up.
   *
   * @param delay how long to wait at least
   * @param reason why, in our words
   * @param response the relay's words, or null
   * @param recipients those the relay is done with although the others have to wait; empty if there
   *     are none
   */
  record Postponed(
      Duration delay, String reason, @Nullable String response, List<RecipientResult> recipients)
      implements DeliveryResult {

    /** Copies the list. */
    public Postponed {
      recipients = List.copyOf(recipients);
    }

    /** Makes a result in which nothing was settled for any recipient. */
    public Postponed(Duration delay, String reason, @Nullable String response) {
      this(delay, reason, response, List.of());
    }

    /** Shows the reason only. */
    @Override
    public String toString() {
      return "Postponed[" + reason + "]";
    }
  }

  /**
   * The relay may or may not have the email: the connection was lost after its last byte.
   *
   * @param reason what happened, in our words
   */
  record Unknown(String reason) implements DeliveryResult {}

  /** The relay cannot have the email: it was not handed over, because the permit had ended. */
  record NotSent() implements DeliveryResult {}
}
