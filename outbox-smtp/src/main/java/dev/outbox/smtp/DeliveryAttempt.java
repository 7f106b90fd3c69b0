package dev.outbox.smtp;

import dev.outbox.email.RecipientResult;
import dev.outbox.transport.DeliveryResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What came of offering one email on one connection. */
sealed interface DeliveryAttempt {

  /**
   * The email has its result.
   *
   * @param result what it is
   * @param trouble what the relay said about us besides, or null
   */
  record Finished(DeliveryResult result, @Nullable RelayFailure trouble)
      implements DeliveryAttempt {}

  /**
   * The relay is of no use now; the email uses up no attempt.
   *
   * @param trouble why
   * @param recipients what is known of each recipient, if any of them is done with; else empty
   * @param stale whether a connection used before would be expected to say this
   */
  record RelayFailed(RelayFailure trouble, List<RecipientResult> recipients, boolean stale)
      implements DeliveryAttempt {}

  /**
   * The connection ended before the final dot was written.
   *
   * @param step where
   * @param inMessage whether the relay had begun to take this message
   */
  record ConnectionLost(SmtpStep step, boolean inMessage) implements DeliveryAttempt {}
}
