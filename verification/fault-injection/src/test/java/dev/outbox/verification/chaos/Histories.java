package dev.outbox.verification.chaos;

import dev.outbox.email.State;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Every history is a path of the state table, and the counters fit it. */
final class Histories implements Check {

  @Override
  public String promise() {
    return "every history is a path of the state table, and counters add up";
  }

  @Override
  public List<String> broken(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    for (Line line : Line.values()) {
      JournalRecord journal = evidence.journal(line);
      Tables tables = evidence.tables(line);
      for (EmailFacts email : tables.emails()) {
        if (evidence.poison().contains(email.id())) {
          poisoned(email, broken);
          continue;
        }
        List<HistoryStep> steps = tables.history(email.id());
        path(email, steps, broken);
        counters(email, steps, journal, broken);
      }
    }
    return broken;
  }

  private static void poisoned(EmailFacts email, List<String> broken) {
    if (email.state() != State.INVALID) {
      broken.add(email + " cannot be read and is not INVALID");
    }
  }

  private static void path(EmailFacts email, List<HistoryStep> steps, List<String> broken) {
    State now = State.ACCEPTED;
    for (HistoryStep step : steps) {
      if (!reachable(now, step.from())) {
        broken.add("%s: no way from %s to %s, %s".formatted(email, now, step.from(), steps));
      }
      if (!step.isNote() && !step.from().canBecome(step.to())) {
        broken.add("%s: %s cannot be, %s".formatted(email, step, steps));
      }
      now = step.to();
    }
    if (!reachable(now, email.state())) {
      broken.add("%s: no way from %s, %s".formatted(email, now, steps));
    }
  }

  /** Whether the steps that leave no row lead from one state to another. */
  private static boolean reachable(State from, State to) {
    Set<State> seen = EnumSet.of(from);
    Deque<State> next = new ArrayDeque<>(seen);
    while (!next.isEmpty()) {
      State state = next.remove();
      for (State follower : ordinary(state)) {
        if (seen.add(follower)) {
          next.add(follower);
        }
      }
    }
    return seen.contains(to);
  }

  private static Set<State> ordinary(State state) {
    return switch (state) {
      case INTAKING -> EnumSet.of(State.READY, State.PROCESSING);
      case PROCESSING -> EnumSet.of(State.SENT);
      default -> state.claimedAs().map(EnumSet::of).orElseGet(() -> EnumSet.noneOf(State.class));
    };
  }

  private static void counters(
      EmailFacts email, List<HistoryStep> steps, JournalRecord journal, List<String> broken) {
    EmailFacts.Counters counters = email.counters();
    if (counters.attempts() > NodeMain.ATTEMPTS) {
      broken.add(email + " has more attempts than there are");
    }
    if (counters.tries() > callbackTries()) {
      broken.add(email + " has more calls than there are");
    }
    long reaps = steps.stream().filter(HistoryStep::isReap).count();
    if (counters.generation() == 0 && counters.reaps() != reaps) {
      broken.add("%s was reaped %d times by its history, %s".formatted(email, reaps, steps));
    }
    long requeues = steps.stream().filter(HistoryStep::isRequeue).count();
    if (counters.generation() != requeues) {
      broken.add("%s was requeued %d times by its history".formatted(email, requeues));
    }
    long promised = count(journal.all(JournalVerb.REQUEUED), email.id());
    long wanted = count(journal.all(JournalVerb.REQUEUEING), email.id());
    if (requeues < promised || requeues > wanted) {
      broken.add(
          "%s was requeued %d times, of %d that were confirmed and %d that were tried"
              .formatted(email, requeues, promised, wanted));
    }
  }

  static int callbackTries() {
    return (NodeMain.CALLBACKS.maxRetries() + 1) * NodeMain.CALLBACKS.rounds();
  }

  private static long count(List<String> ids, String id) {
    return ids.size() < 200_000 ? ids.stream().filter(id::equals).count() : 0;
  }
}
