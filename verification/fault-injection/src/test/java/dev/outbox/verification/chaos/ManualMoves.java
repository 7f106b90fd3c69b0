package dev.outbox.verification.chaos;

import static java.util.stream.Collectors.toSet;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What was cancelled did not leave, and what was erased is gone. */
final class ManualMoves implements Check {

  @Override
  public String promise() {
    return "what was cancelled does not leave, and what was erased is gone";
  }

  @Override
  public List<String> broken(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    for (Line line : Line.values()) {
      JournalRecord journal = evidence.journal(line);
      Set<String> cancelled = new HashSet<>(journal.all(JournalVerb.CANCELLED));
      cancelled.removeAll(new HashSet<>(journal.all(JournalVerb.REQUEUEING)));
      Set<String> erased = new HashSet<>(journal.all(JournalVerb.ERASED));
      Set<String> files =
          evidence.content().stream()
              .flatMap(file -> erased.stream().filter(file::contains))
              .collect(toSet());
      for (EmailFacts email : evidence.tables(line).emails()) {
        if (cancelled.contains(email.id())
            && !email.failedBy("CANCELLED")
            && !late(evidence, line, email)) {
          broken.add(email + " was cancelled");
        }
        if (erased.contains(email.id())
            && (email.recipients() != null || email.subject() != null || email.content())) {
          broken.add(email + " was erased, and personal data is still there");
        }
      }
      files.forEach(id -> broken.add(id + " was erased, and a file of its content is there"));
    }
    return broken;
  }

  /**
   * An email that had left under a claim that was reaped may be cancelled, and is sent after all.
   */
  private static boolean late(Evidence evidence, Line line, EmailFacts email) {
    return evidence.tables(line).history(email.id()).stream().anyMatch(HistoryStep::isReap);
  }
}
