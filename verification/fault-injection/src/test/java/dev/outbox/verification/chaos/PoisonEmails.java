package dev.outbox.verification.chaos;

import static java.util.stream.Collectors.groupingBy;

import dev.outbox.email.State;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** An email with a text that is too long is rejected with the field's name, or INVALID. */
final class PoisonEmails implements Check {

  private int rejected;
  private int invalid;

  @Override
  public String promise() {
    return "an email with a text that is too long is rejected or INVALID, and never delivered";
  }

  /** Returns what became of them, for people. */
  String figures() {
    return "emails with a text that is too long: %d rejected with the field's name, %d INVALID"
        .formatted(rejected, invalid);
  }

  @Override
  public List<String> broken(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    Map<String, List<Reception>> received =
        evidence.received().stream().collect(groupingBy(Reception::id));
    for (Line line : Line.values()) {
      JournalRecord journal = evidence.journal(line);
      Set<String> names = new HashSet<>();
      for (JournalRecord.Rejected each : journal.rejected()) {
        rejected(each, names, broken);
      }
      for (EmailFacts email : evidence.tables(line).emails()) {
        String name = FinalPlaces.name(email);
        Poison kind = name == null ? null : journal.poison().get(name);
        if (name != null && names.contains(name)) {
          broken.add(email + " was rejected and is stored");
        }
        if (kind != null && !kind.fits()) {
          stored(email, kind, received.getOrDefault(email.id(), List.of()), broken);
        }
      }
    }
    return broken;
  }

  private void rejected(JournalRecord.Rejected each, Set<String> names, List<String> broken) {
    names.add(each.name());
    if (each.kind().fits()) {
      broken.add("%s was rejected, and nothing in it is too long".formatted(each));
    } else if (!each.kind().isNamedBy(each.field())) {
      broken.add("%s was rejected without the name of its field".formatted(each));
    } else {
      rejected++;
    }
  }

  private void stored(EmailFacts email, Poison kind, List<Reception> each, List<String> broken) {
    if (email.state().outcome() == State.INVALID) {
      invalid++;
    } else {
      broken.add("%s is not INVALID: %s".formatted(email, kind));
    }
    if (!each.isEmpty()) {
      broken.add("%s was delivered %d times: %s".formatted(email, each.size(), kind));
    }
  }
}
