package dev.outbox.verification.chaos;

import dev.outbox.email.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Each email with a callback ends acknowledged, or is given up when all calls are used up. */
final class Callbacks implements Check {

  private static final int ID_LENGTH = 36;

  @Override
  public String promise() {
    return "a callback ends acknowledged, or given up after all its calls";
  }

  @Override
  public List<String> broken(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    Set<String> acknowledged = new HashSet<>();
    // What the relay said goes with the rest of the personal data, also between two calls.
    Set<String> erased = new HashSet<>();
    for (Line line : Line.values()) {
      erased.addAll(evidence.journal(line).all(JournalVerb.ERASING));
    }
    Map<String, String> outcomes = new HashMap<>();
    for (FaultyReceiver.Call call : evidence.calls()) {
      if (call.acknowledged()) {
        acknowledged.add(call.key());
      }
      String other = outcomes.put(call.key(), call.body());
      if (other != null && !other.equals(call.body()) && !erased.contains(email(call))) {
        broken.add(
            "%s was told %s, and the time before %s".formatted(call.key(), call.body(), other));
      }
    }
    for (Line line : Line.values()) {
      for (EmailFacts email : evidence.tables(line).emails()) {
        if (email.callback() != null) {
          check(email, acknowledged, evidence.tables(line), broken);
        }
      }
    }
    return broken;
  }

  /** The key begins with the email. */
  private static String email(FaultyReceiver.Call call) {
    return call.key().substring(0, Math.min(call.key().length(), ID_LENGTH));
  }

  private static void check(
      EmailFacts email, Set<String> acknowledged, Tables tables, List<String> broken) {
    State outcome = email.state().outcome();
    String key = "%s-%s-%d".formatted(email.id(), outcome, email.counters().generation());
    boolean told = email.state().wireName().endsWith("-ACKNOWLEDGED");
    if (told) {
      if (!acknowledged.contains(key)) {
        broken.add(email + " is acknowledged, and the receiver did not do that");
      }
      return;
    }
    long reaps = tables.history(email.id()).stream().filter(HistoryStep::isReap).count();
    boolean usedUp = email.counters().tries() >= Histories.callbackTries() - 1 || reaps >= 5;
    if (!email.state().isBusy() || !usedUp) {
      broken.add(email + " was not told of, though there were calls left");
    }
  }
}
