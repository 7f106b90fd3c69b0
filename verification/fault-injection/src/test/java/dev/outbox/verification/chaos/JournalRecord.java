package dev.outbox.verification.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** What all producers wrote down about one line. */
final class JournalRecord {

  private final Set<String> asked = new HashSet<>();
  private final List<Accepted> accepted = new ArrayList<>();
  private final Map<String, Poison> poison = new HashMap<>();
  private final List<Rejected> rejected = new ArrayList<>();
  private final Map<JournalVerb, List<String>> others = new EnumMap<>(JournalVerb.class);

  /** A request that was accepted. */
  record Accepted(String name, String id, boolean created, String key) {}

  /** A request that was rejected, with the field that the error named. */
  record Rejected(String name, Poison kind, String field) {}

  static JournalRecord read(Path folder, Line line) {
    JournalRecord journal = new JournalRecord();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        String text = Files.readString(file);
        // A line that was not ended is not there.
        for (String each : text.substring(0, text.lastIndexOf('\n') + 1).split("\n", -1)) {
          journal.add(each.split(" ", -1), line);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return journal;
  }

  private void add(String[] words, Line line) {
    if (words.length < 3 || !words[1].equals(line.name())) {
      return;
    }
    JournalVerb verb = JournalVerb.valueOf(words[0]);
    switch (verb) {
      case ASKING -> asked.add(words[2]);
      case ACCEPTED ->
          accepted.add(new Accepted(words[2], words[3], Boolean.parseBoolean(words[4]), words[5]));
      case POISON -> poison.put(words[2], Poison.valueOf(words[3]));
      case REJECTED -> rejected.add(new Rejected(words[2], Poison.valueOf(words[3]), words[4]));
      default ->
          others.computeIfAbsent(verb, each -> new ArrayList<>()).add(words[words.length - 1]);
    }
  }

  Set<String> asked() {
    return asked;
  }

  List<Accepted> accepted() {
    return accepted;
  }

  /** Returns the kinds of the requests whose emails have a text that is too long, by name. */
  Map<String, Poison> poison() {
    return poison;
  }

  List<Rejected> rejected() {
    return rejected;
  }

  /** Returns the emails, or keys, of all lines with a verb. */
  List<String> all(JournalVerb verb) {
    return others.getOrDefault(verb, List.of());
  }
}
