package dev.outbox.verification.chaos;

import static java.util.stream.Collectors.groupingBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A kill causes at most as many second deliveries as results may be unrecorded at a time. */
final class DuplicateWindow implements Check {

  /** The setting for unrecorded results, and one delivery for each worker. */
  static final int MOST = NodeMain.UNRECORDED_RESULTS + NodeMain.WORKERS;

  @Override
  public String promise() {
    return "a killed node causes at most " + MOST + " second deliveries";
  }

  @Override
  public List<String> broken(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    byNode(evidence)
        .forEach(
            (node, number) -> {
              if (number > MOST) {
                broken.add("the kill of %s caused %d second deliveries".formatted(node, number));
              }
            });
    return broken;
  }

  /** Returns how many second deliveries followed the kill of each node. */
  static Map<String, Integer> byNode(Evidence evidence) {
    Excuses excuses = new Excuses(evidence);
    Map<String, Integer> numbers = new TreeMap<>();
    evidence.received().stream()
        .sorted(Comparator.comparing(Reception::dot))
        .collect(groupingBy(Reception::id))
        .values()
        .forEach(
            each -> {
              for (int i = 1; i < each.size(); i++) {
                Reception first = each.get(i - 1);
                if (excuses
                    .of(first, each.get(i).dot())
                    .filter(Excuses.KILLED::equals)
                    .isPresent()) {
                  numbers.merge(first.node(), 1, Integer::sum);
                }
              }
            });
    return numbers;
  }
}
