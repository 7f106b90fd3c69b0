package dev.outbox.dynamodb;

import dev.outbox.store.ClaimRequest;
import dev.outbox.store.Completion;
import dev.outbox.store.EmailRecord;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.RecordChange;
import java.time.Duration;
import java.util.List;

/**
 * Returns emails to their queue while the content directory as a whole cannot be read. They are due
 * again a little later, so that they do not keep later emails from being claimed. No try is counted
 * and no history is written, however long the directory cannot be read.
 */
final class ClaimPostponement {

  /** How long an email waits before its content is looked for again. */
  static final Duration POSTPONED_BY = Duration.ofMinutes(1);

  private final ChangeWriter writes;

  ClaimPostponement(ChangeWriter writes) {
    this.writes = writes;
  }

  /**
   * Postpones an email that was just claimed. If its claim is lost meanwhile, nothing is written.
   *
   * @param row the email's row, which is used up if the result is true
   * @return false for a callback, which needs no content
   */
  boolean isPostponed(EmailItem row, ClaimRequest request) {
    if (request.from().hasOutcome()) {
      return false;
    }
    EmailRecord claimed = row.columns();
    Completion back =
        new Completion(
            row.id,
            claimed.tokens().current(),
            request.node(),
            request.busy(),
            request.from(),
            POSTPONED_BY,
            claimed.email().progress(),
            null,
            OutcomeDetails.NONE,
            null,
            true);
    RecordChange change = claimed.complete(back, InsertOperations.now()).change();
    if (change == null) {
      return false;
    }
    boolean unused =
        writes.commit(row, new RecordChange(change.row(), List.of(), null, false, false, false));
    return true;
  }
}
