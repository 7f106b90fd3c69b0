package dev.outbox.event;

import dev.outbox.email.Email;
import dev.outbox.email.Receipt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A request to send an email, posted on the bus of an outbox.
 *
 * <p>guava's bus swallows what subscribers throw, so the answer is here: the {@link #receipt()}
 * completes after the email is committed, or exceptionally if it is not stored. Posted from inside
 * a subscriber, guava delivers it when that subscriber has returned: do not wait for the receipt
 * there. On a bus without an outbox it never completes.
 */
public final class SendEmail {

  private final Email email;
  private final CompletableFuture<Receipt> receipt = new CompletableFuture<>();

  /** Asks for an email to be sent. */
  public SendEmail(Email email) {
    this.email = email;
  }

  /** Returns the email. */
  public Email email() {
    return email;
  }

  /** Returns what completes once the email is committed, or known not to be. */
  public CompletionStage<Receipt> receipt() {
    return receipt.minimalCompletionStage();
  }

  /** Tells the poster that the email is stored. For the outbox. */
  public void accept(Receipt stored) {
    receipt.complete(stored);
  }

  /** Tells the poster that the email is not stored. For the outbox. */
  public void refuse(Throwable cause) {
    receipt.completeExceptionally(cause);
  }

  /** Shows nothing personal. */
  @Override
  public String toString() {
    return "SendEmail[" + email + "]";
  }
}
