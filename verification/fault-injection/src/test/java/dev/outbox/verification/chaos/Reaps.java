package dev.outbox.verification.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A node's emails are taken from it only when it is dead, or has not been heard for a lease. */
final class Reaps implements Check {

  @Override
  public String promise() {
    return "only nodes that died, or were silent for a lease, lose their emails";
  }

  @Override
  public List<String> broken(Evidence evidence) {
    Excuses excuses = new Excuses(evidence);
    List<String> broken = new ArrayList<>();
    for (Line line : Line.values()) {
      evidence
          .tables(line)
          .history()
          .forEach(
              (id, steps) ->
                  steps.stream()
                      .filter(HistoryStep::isReap)
                      .filter(step -> !excuses.mayBeDead(run(step), excuses.real(step.at())))
                      .forEach(
                          step ->
                              broken.add(
                                  "%s was taken from %s at %s, which lived"
                                      .formatted(id, step.node(), step.at()))));
    }
    return broken;
  }

  /** The name without the incarnation. */
  private static String run(HistoryStep step) {
    String node = Objects.toString(step.node());
    return node.substring(0, Math.max(0, node.indexOf('~')));
  }
}
