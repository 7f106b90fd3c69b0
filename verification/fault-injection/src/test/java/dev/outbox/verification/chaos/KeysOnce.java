package dev.outbox.verification.chaos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The same request twice is one email. */
final class KeysOnce implements Check {

  @Override
  public String promise() {
    return "a key has one email";
  }

  @Override
  public List<String> broken(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    for (Line line : Line.values()) {
      JournalRecord journal = evidence.journal(line);
      Map<String, Set<String>> emails = new HashMap<>();
      Map<String, Integer> created = new HashMap<>();
      for (JournalRecord.Accepted accepted : journal.accepted()) {
        if (!accepted.key().equals("-")) {
          emails.computeIfAbsent(accepted.key(), key -> new HashSet<>()).add(accepted.id());
          created.merge(accepted.key(), accepted.created() ? 1 : 0, Integer::sum);
        }
      }
      emails.forEach(
          (key, ids) -> {
            if (ids.size() > 1) {
              broken.add("%s has the emails %s".formatted(key, ids));
            }
          });
      created.forEach(
          (key, times) -> {
            if (times > 1) {
              broken.add("%s was new %d times".formatted(key, times));
            }
          });
      journal
          .all(JournalVerb.UNNOTICED_CONFLICT)
          .forEach(key -> broken.add(key + " was given to another payload"));
      broken.addAll(stored(evidence.tables(line)));
    }
    return broken;
  }

  private static List<String> stored(Tables tables) {
    List<String> broken = new ArrayList<>();
    Map<String, String> owners = new HashMap<>();
    for (EmailFacts email : tables.emails()) {
      String key = email.key();
      if (key == null) {
        continue;
      }
      String other = owners.put(key, email.id());
      if (other != null) {
        broken.add("%s and %s have one key".formatted(email, other));
      }
      if (!email.id().equals(tables.keys().get(key))) {
        broken.add("%s is not the email of its key".formatted(email));
      }
    }
    tables
        .keys()
        .forEach(
            (key, id) -> {
              if (!id.equals(owners.get(key))) {
                broken.add("the key of %s has no email".formatted(id));
              }
            });
    return broken;
  }
}
