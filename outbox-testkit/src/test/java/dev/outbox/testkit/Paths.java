package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailPage;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.HistoryEntry;
import dev.outbox.email.State;
import java.util.List;

/** Checks that histories are ways through the table of states. */
final class Paths {

  private Paths() {}

  /**
   * Checks one history, and returns its states. Two equal states in a row are a note on the first.
   */
  static List<State> path(Outbox outbox, EmailId id) {
    List<HistoryEntry> history = outbox.history(id);
    assertThat(history).as("history of %s", id).isNotEmpty();
    assertThat(history.get(0).state()).isEqualTo(State.ACCEPTED);
    for (int i = 1; i < history.size(); i++) {
      HistoryEntry before = history.get(i - 1);
      HistoryEntry after = history.get(i);
      assertThat(after.state() == before.state() || before.state().canBecome(after.state()))
          .as("step %d of %s", i, history)
          .isTrue();
      assertThat(after.at()).as("time of step %d of %s", i, history).isAfterOrEqualTo(before.at());
      assertThat(after.generation())
          .as("generation at step %d of %s", i, history)
          .isGreaterThanOrEqualTo(before.generation());
    }
    assertThat(history.get(history.size() - 1).state())
        .as("end of %s", history)
        .isEqualTo(outbox.find(id).orElseThrow().summary().state());
    return history.stream().map(HistoryEntry::state).toList();
  }

  /** Checks the histories of all emails there are. */
  static void checkAll(Outbox outbox) {
    EmailId after = null;
    do {
      EmailPage page = outbox.query(EmailQuery.all(), after, 1_000);
      page.emails().stream().map(EmailSummary::id).forEach(id -> path(outbox, id));
      after = page.next();
    } while (after != null);
  }
}
