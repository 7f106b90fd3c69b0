package dev.outbox.email;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An idempotency key that was used before, for an email that differs. That email was not stored; of
 * several sent together the others were.
 */
public final class IdempotencyConflictException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient SortedMap<Integer, EmailId> conflicts;
  private final transient List<Receipt> receipts;

  /**
   * Says which emails were refused.
   *
   * @param conflicts the position of each, and the id of the email that has its key
   * @param receipts the receipts of all, in which those refused name the email that has their key
   */
  public IdempotencyConflictException(
      SortedMap<Integer, EmailId> conflicts, List<Receipt> receipts) {
    super(
        "idempotencyKey: used before for another email; position %s".formatted(conflicts.keySet()));
    this.conflicts = Collections.unmodifiableSortedMap(new TreeMap<>(conflicts));
    this.receipts = List.copyOf(receipts);
  }

  /** Returns the position of each refused email, and the id of the email that has its key. */
  public SortedMap<Integer, EmailId> conflicts() {
    return conflicts;
  }

  /** Returns the receipts of all emails; a refused one's names the email that has its key. */
  public List<Receipt> receipts() {
    return receipts;
  }
}
