package dev.outbox.email;

import org.jspecify.annotations.Nullable;

/**
 * All that is known about a stored email, with its content while there is any.
 *
 * @param summary all that is known without opening it
 * @param content null once it was dropped or erased, or if it cannot be read
 * @param problem why the content that is stored cannot be read here, in our words; null otherwise
 */
public record EmailDetails(
    EmailSummary summary, @Nullable EmailContent content, @Nullable String problem) {

  /** Shows identity and state, nothing personal. */
  @Override
  public String toString() {
    return "EmailDetails[%s, %s]".formatted(summary, content);
  }
}
