package dev.outbox.event;

import dev.outbox.email.Email;
import dev.outbox.email.Receipt;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A request to send an email, posted on the bus of an outbox.
 *
 * <p>guava's bus swallows what subscribers throw, so the answer is here: the {@link #receipt()}
 * completes after the email is committed, or exceptionally if it is not stored. Posted from inside
 * a subscriber, guava delivers it when that subscriber has returned: do not wait for the receipt
 * there.
 *
 * <p>One request is one email: the first open outbox on the bus takes it, however many there are
 * and however often it is posted. If the bus delivers it when every outbox there is closed, the
 * receipt fails at once. A bus that has never had an outbox delivers it to nothing: the receipt
 * then fails one minute after it was first asked for, and from then on no outbox takes the request.
 *
 * <p>Safe for many threads.
 */
public final class SendEmail {

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Email email;
  private final Duration patience;
  private final CompletableFuture<Receipt> receipt = new CompletableFuture<>();
  private final CompletableFuture<Boolean> taken = new CompletableFuture<>();
  private final AtomicBoolean isTaken = new AtomicBoolean();
  private final AtomicBoolean isAwaited = new AtomicBoolean();

  /** Asks for an email to be sent. */
  public SendEmail(Email email) {
    this(email, PATIENCE);
  }

  /** Asks for an email to be sent, and says how long its receipt waits for an outbox. */
  SendEmail(Email email, Duration patience) {
    this.email = email;
    this.patience = patience;
  }

  /** Returns the email. */
  public Email email() {
    return email;
  }

  /** Returns what completes once the email is committed, or known not to be. */
  public CompletionStage<Receipt> receipt() {
    if (isAwaited.compareAndSet(false, true)) {
      var unused =
          taken
              .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
              .whenCompleteAsync((isTaken, late) -> refuseIfLate(late));
    }
    return receipt.minimalCompletionStage();
  }

  private void refuseIfLate(@Nullable Throwable late) {
    if (late != null && take()) {
      refuse(
          new IllegalStateException(
              "not stored: no outbox has received the request; is it on the outbox's event bus?"));
    }
  }

  /**
   * Takes the request, for the outbox: exactly one caller may store the email or refuse it.
   *
   * @return whether the caller is that one
   */
  public boolean take() {
    boolean isFirst = isTaken.compareAndSet(false, true);
    if (isFirst) {
      taken.complete(true);
    }
    return isFirst;
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
