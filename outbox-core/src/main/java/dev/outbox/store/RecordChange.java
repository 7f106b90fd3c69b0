package dev.outbox.store;

import dev.outbox.email.Bytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a store has to write for one email, all in one transaction.
 *
 * @param row the email's columns from now on; null if they stay as they are
 * @param history what is added to its history, in order
 * @param composed the composed message to be stored from now on; null leaves what is stored
 * @param movesToLog whether the row leaves for the log
 * @param deletesContent whether payload and composed message are removed
 * @param redactsHistory whether the words of its earlier history are removed
 */
public record RecordChange(
    @Nullable EmailRecord row,
    List<HistoryRecord> history,
    @Nullable Bytes composed,
    boolean movesToLog,
    boolean deletesContent,
    boolean redactsHistory) {

  /** Copies the list. */
  public RecordChange {
    history = List.copyOf(history);
  }

  /** Returns a change of columns alone, or with a row of history. */
  static RecordChange of(EmailRecord row, @Nullable HistoryRecord history) {
    return new RecordChange(
        row, history == null ? List.of() : List.of(history), null, false, false, false);
  }

  /** Returns a row of history that changes nothing else. */
  static RecordChange noted(HistoryRecord note) {
    return new RecordChange(null, List.of(note), null, false, false, false);
  }
}
