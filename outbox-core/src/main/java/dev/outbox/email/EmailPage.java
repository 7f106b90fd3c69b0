package dev.outbox.email;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a query's result.
 *
 * @param emails the newest first
 * @param next where the following page starts; null if this is the last
 */
public record EmailPage(List<EmailSummary> emails, @Nullable EmailId next) {

  /** Copies the list. */
  public EmailPage {
    emails = List.copyOf(emails);
  }
}
