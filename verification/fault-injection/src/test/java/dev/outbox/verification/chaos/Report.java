package dev.outbox.verification.chaos;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a run came to.
 *
 * @param emails how many emails there were
 * @param faults what went wrong
 * @param lines the figures, for people
 * @param broken what was not kept, by promise
 */
record Report(
    int emails, List<Happening> faults, List<String> lines, Map<String, List<String>> broken) {

  private static final int SHOWN = 10;

  static Report of(Plan plan, FaultLog log, Evidence evidence, Duration drained) {
    Receptions receptions = new Receptions();
    PoisonEmails poison = new PoisonEmails();
    Map<String, List<String>> broken = new LinkedHashMap<>();
    for (Check check :
        List.of(
            new FinalPlaces(),
            receptions,
            new DuplicateWindow(),
            poison,
            new SendFailures(),
            new Progress(plan.workers()),
            new KeysOnce(),
            new Histories(),
            new Reaps(),
            new ManualMoves(),
            new Callbacks(),
            new QuietLogs(),
            new NothingLeaked())) {
      List<String> found = check.broken(evidence);
      if (!found.isEmpty()) {
        broken.put(check.promise(), found);
      }
    }
    List<String> lines = new ArrayList<>();
    lines.add(
        "store %s, seed %d, %d s of faults, at rest %d s after them"
            .formatted(plan.store(), plan.seed(), plan.length().toSeconds(), drained.toSeconds()));
    lines.addAll(figures(evidence));
    lines.add("faults: %d, %d more missed".formatted(log.happened().size(), log.missed()));
    log.byKind()
        .forEach(
            (kind, times) -> {
              String single = log.count(kind) == 0 ? "" : " (%d in all)".formatted(log.count(kind));
              lines.add("  %-17s %d%s".formatted(kind, times, single));
            });
    lines.add(poison.figures());
    lines.add(SendFailures.figures(evidence));
    Progress.longest(evidence)
        .ifPresent(
            gap ->
                lines.add(
                    "longest time without a delivery: %.1f s"
                        .formatted(gap.length().toMillis() / 1e3)));
    lines.add("second deliveries, and what allowed them:");
    receptions.duplicates().forEach((why, times) -> lines.add("  %4d  %s".formatted(times, why)));
    DuplicateWindow.byNode(evidence).values().stream()
        .max(Integer::compareTo)
        .ifPresent(most -> lines.add("most second deliveries caused by one kill: " + most));
    lines.add("recovery from a kill (first email given to others): " + recovery(evidence));
    if (!evidence.stalls().isEmpty()) {
      lines.add(
          "times in which a process got no processor for half a lease: %d"
              .formatted(evidence.stalls().size()));
    }
    int emails =
        Stream.of(Line.values()).mapToInt(line -> evidence.tables(line).emails().size()).sum();
    return new Report(emails, log.happened(), lines, broken);
  }

  private static List<String> figures(Evidence evidence) {
    List<String> lines = new ArrayList<>();
    for (Line line : Line.values()) {
      List<EmailFacts> emails = evidence.tables(line).emails();
      lines.add(
          "%s: %d emails (%d requests accepted), %d sent, %d failed, %d invalid"
              .formatted(
                  line,
                  emails.size(),
                  evidence.journal(line).accepted().size(),
                  emails.stream().filter(EmailFacts::isSent).count(),
                  emails.stream().filter(e -> e.code() != null && !e.isSent()).count(),
                  emails.stream()
                      .filter(e -> e.state().outcome() == dev.outbox.email.State.INVALID)
                      .count()));
    }
    lines.add(
        "received by the relay: %d; calls to the receiver: %d"
            .formatted(evidence.received().size(), evidence.calls().size()));
    return lines;
  }

  private static String recovery(Evidence evidence) {
    List<Duration> times = new ArrayList<>();
    Excuses excuses = new Excuses(evidence);
    for (Happening kill : excuses.kills()) {
      Stream.of(Line.values())
          .flatMap(line -> evidence.tables(line).history().values().stream())
          .flatMap(List::stream)
          .filter(HistoryStep::isReap)
          .filter(step -> Objects.toString(step.node()).startsWith(kill.node() + "~"))
          .map(step -> excuses.real(step.at()))
          .filter(at -> !at.isBefore(kill.from()))
          .min(Instant::compareTo)
          .ifPresent(at -> times.add(Duration.between(kill.from(), at)));
    }
    times.sort(Duration::compareTo);
    return times.isEmpty()
        ? "none held any"
        : "%d kills, p50 %.1f s, max %.1f s"
            .formatted(
                times.size(),
                times.get(times.size() / 2).toMillis() / 1e3,
                times.get(times.size() - 1).toMillis() / 1e3);
  }

  /** Returns all of it as text. */
  String text() {
    List<String> all = new ArrayList<>(lines);
    broken.forEach(
        (promise, found) -> {
          all.add("BROKEN: %s (%d)".formatted(promise, found.size()));
          found.stream().limit(SHOWN).forEach(each -> all.add("  " + each));
        });
    all.add(
        Optional.of(broken.size())
            .filter(number -> number > 0)
            .map(number -> number + " promises broken")
            .orElse("no promise broken"));
    return String.join("\n", all);
  }
}
