package dev.outbox.verification.chaos;

import java.util.List;
import java.util.Map;

/**
 * All that the tables of one line say, read without the library.
 *
 * @param emails the rows of emails on their way or failed, and of the log
 * @param history what happened to each, in order
 * @param keys which email a key's digest belongs to
 */
record Tables(
    List<EmailFacts> emails, Map<String, List<HistoryStep>> history, Map<String, String> keys) {

  List<HistoryStep> history(String id) {
    return history.getOrDefault(id, List.of());
  }
}
