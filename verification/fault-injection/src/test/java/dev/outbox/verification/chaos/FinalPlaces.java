package dev.outbox.verification.chaos;

import dev.outbox.email.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Each accepted email is in exactly one final place, and nothing else is there. */
final class FinalPlaces implements Check {

  private static final Pattern NAME = Pattern.compile(Request.MARK + "\\.([\\w-]+)\\.");

  @Override
  public String promise() {
    return "each accepted email is in exactly one final place";
  }

  @Override
  public List<String> broken(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    for (Line line : Line.values()) {
      Map<String, EmailFacts> stored = new HashMap<>();
      for (EmailFacts email : evidence.tables(line).emails()) {
        if (stored.put(email.id(), email) != null) {
          broken.add(email + " is in both tables");
        }
        if (email.waits() || !email.state().hasOutcome()) {
          broken.add(email + " is not at its end");
        } else if (email.archived() != (email.state().outcome() == State.SENT)) {
          broken.add(email + " is in the wrong table");
        }
      }
      broken.addAll(lost(evidence.journal(line), stored));
      broken.addAll(unasked(evidence, line, stored));
    }
    return broken;
  }

  private static List<String> lost(JournalRecord journal, Map<String, EmailFacts> stored) {
    List<String> broken = new ArrayList<>();
    for (JournalRecord.Accepted accepted : journal.accepted()) {
      if (!stored.containsKey(accepted.id())) {
        broken.add(accepted + " is lost");
      }
    }
    for (String id : journal.all(JournalVerb.ROLLED_BACK)) {
      if (stored.containsKey(id)) {
        broken.add(id + " was rolled back and is there");
      }
    }
    return broken;
  }

  /** Returns the name of the request of an email; null if its recipients cannot be read. */
  static @Nullable String name(EmailFacts email) {
    Matcher name = NAME.matcher(String.valueOf(email.recipients()));
    return name.find() ? name.group(1) : null;
  }

  /** Whatever is stored was asked for, and each request is one email. */
  private static List<String> unasked(
      Evidence evidence, Line line, Map<String, EmailFacts> stored) {
    List<String> broken = new ArrayList<>();
    JournalRecord journal = evidence.journal(line);
    Set<String> accepted = new HashSet<>();
    journal.accepted().forEach(each -> accepted.add(each.id()));
    Map<String, String> names = new HashMap<>();
    for (EmailFacts email : stored.values()) {
      if (evidence.poison().contains(email.id()) || SqlPoison.isPoison(email)) {
        continue;
      }
      String name = name(email);
      if (name == null) {
        if (!accepted.contains(email.id())) {
          broken.add(email + " was asked for by nobody");
        }
        continue;
      }
      if (!journal.asked().contains(name)) {
        broken.add(email + " was asked for by nobody");
      }
      String other = names.put(name, email.id());
      if (other != null) {
        broken.add("%s and %s are from one request, %s".formatted(email, other, name));
      }
    }
    return broken;
  }
}
