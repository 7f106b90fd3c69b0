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
 * @param archives whether the row leaves for the log
 * @param dropsContent whether payload and composed message are removed
 * @param hushes whether the words of its earlier history are removed
 */
public record Change(
    @Nullable EmailRow row,
    List<HistoryRow> history,
    @Nullable Bytes composed,
    boolean archives,
    boolean dropsContent,
    boolean hushes) {

  /** Copies the list. */
  public Change {
    history = List.copyOf(history);
  }

  /** Returns a change of columns alone, or with a row of history. */
  static Change of(EmailRow row, @Nullable HistoryRow history) {
    return new Change(
        row, history == null ? List.of() : List.of(history), null, false, false, false);
  }

  /** Returns a row of history that changes nothing else. */
  static Change noted(HistoryRow note) {
    return new Change(null, List.of(note), null, false, false, false);
  }
}
