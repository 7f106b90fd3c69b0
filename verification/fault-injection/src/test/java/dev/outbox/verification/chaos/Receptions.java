package dev.outbox.verification.chaos;

import static java.util.stream.Collectors.groupingBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Each email was received once; twice only where the schedule explains it, and under HOLD only
 * where somebody asked for it.
 */
final class Receptions implements Check {

  private final Map<String, Integer> duplicates = new TreeMap<>();

  @Override
  public String promise() {
    return "each email is received once, twice only where the schedule allows it";
  }

  /** Returns how many second deliveries there were for each reason that allows them. */
  Map<String, Integer> duplicates() {
    return duplicates;
  }

  @Override
  public List<String> broken(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    Excuses excuses = new Excuses(evidence);
    Map<String, List<Reception>> received = new HashMap<>();
    evidence.received().stream()
        .sorted(Comparator.comparing(Reception::dot))
        .collect(groupingBy(Reception::id))
        .forEach(received::put);
    Set<String> known = new HashSet<>();
    for (Line line : Line.values()) {
      Set<String> moved = moved(evidence.journal(line));
      for (EmailFacts email : evidence.tables(line).emails()) {
        known.add(email.id());
        List<Reception> each = received.getOrDefault(email.id(), List.of());
        repeats(line, email, each, evidence, excuses, broken);
        fate(email, each, excuses, broken);
        if (email.code() != null) {
          code(line, email, evidence, moved, broken);
        }
      }
    }
    received.forEach(
        (id, each) -> {
          if (!known.contains(id)) {
            broken.add(id + " was received and is stored nowhere, " + each.get(0).node());
          }
        });
    return broken;
  }

  private void repeats(
      Line line,
      EmailFacts email,
      List<Reception> each,
      Evidence evidence,
      Excuses excuses,
      List<String> broken) {
    if (line == Line.HOLD) {
      held(email, each, evidence.tables(line).history(email.id()), broken);
      return;
    }
    long tries =
        evidence.tables(line).history(email.id()).stream()
            .filter(step -> step.from() == dev.outbox.email.State.PROCESSING || step.isDuplicate())
            .count();
    if (each.size() - 1 > tries) {
      broken.add(
          "%s was received %d times, and its history knows of %d tries that came to nothing"
              .formatted(email, each.size(), tries));
    }
    for (int i = 1; i < each.size(); i++) {
      Reception first = each.get(i - 1);
      Reception second = each.get(i);
      Optional<String> excuse =
          excuses.of(first, second.dot()).or(() -> excuses.ofLate(second, first.dot()));
      if (excuse.isPresent()) {
        duplicates.merge(excuse.get(), 1, Integer::sum);
      } else {
        broken.add("%s was received twice for no reason: %s".formatted(email, each));
      }
    }
  }

  /** Under HOLD an email leaves once more only when an operator says so. */
  private void held(
      EmailFacts email, List<Reception> each, List<HistoryStep> steps, List<String> broken) {
    int more = Math.max(0, each.size() - 1);
    if (more > steps.stream().filter(HistoryStep::isRequeue).count()) {
      broken.add("%s was received %d times under HOLD: %s".formatted(email, each.size(), each));
    } else if (more > 0) {
      duplicates.merge("requeued by hand", more, Integer::sum);
    }
  }

  private static void fate(
      EmailFacts email, List<Reception> each, Excuses excuses, List<String> broken) {
    if (email.isSent() && each.isEmpty()) {
      broken.add(email + " is sent and was never received");
    }
    if (!email.isSent()) {
      for (Reception reception : each) {
        if (excuses.of(reception, Instant.MAX).isEmpty()) {
          broken.add(email + " was received though it failed: " + reception);
        }
      }
    }
  }

  private static Set<String> moved(JournalRecord journal) {
    Set<String> moved = new HashSet<>(journal.all(JournalVerb.CANCELLING));
    moved.addAll(journal.all(JournalVerb.ERASING));
    return moved;
  }

  /** A failure needs a cause that somebody outside knows of. */
  private static void code(
      Line line, EmailFacts email, Evidence evidence, Set<String> moved, List<String> broken) {
    String recipients = String.valueOf(email.recipients());
    boolean erased = email.recipients() == null;
    boolean explained =
        switch (String.valueOf(email.code())) {
          case "REFUSED" -> erased || Request.Fate.REFUSED.isOf(recipients);
          case "ATTEMPTS" -> email.counters().attempts() >= NodeMain.ATTEMPTS;
          case "CANCELLED" -> moved.contains(email.id());
          case "OUTCOME_UNKNOWN" -> line == Line.HOLD;
          case "WORKER_DIED" -> reaps(evidence, line, email) >= 5;
          default -> false;
        };
    if (!explained) {
      broken.add(email + " failed for no reason that is known outside");
    }
  }

  private static long reaps(Evidence evidence, Line line, EmailFacts email) {
    return evidence.tables(line).history(email.id()).stream().filter(HistoryStep::isReap).count();
  }
}
