package dev.outbox.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** All that was measured, by name, one value for each round. */
final class Measurements {

  private final Map<String, List<Double>> values = new LinkedHashMap<>();

  void add(String name, double value) {
    values.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  double median(String name) {
    return median(all(name).stream().mapToDouble(Double::doubleValue).toArray());
  }

  /** Returns the median of each round's ratio, so that both sides saw the same machine. */
  double ratio(String name, String other) {
    List<Double> ours = all(name);
    List<Double> theirs = all(other);
    int rounds = Math.min(ours.size(), theirs.size());
    double[] ratios = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      ratios[i] = ours.get(i) / theirs.get(i);
    }
    return median(ratios);
  }

  private List<Double> all(String name) {
    List<Double> found = values.get(name);
    if (found == null) {
      throw new IllegalArgumentException("not measured: " + name);
    }
    return found;
  }

  /** Returns every figure with its median and its rounds. */
  MarkdownTable table() {
    MarkdownTable table = new MarkdownTable("figure", "median", "rounds");
    values.forEach(
        (name, rounds) ->
            table.row(
                name,
                text(median(name)),
                String.join(" / ", rounds.stream().map(Measurements::text).toList())));
    return table;
  }

  static String text(double value) {
    return value >= 100
        ? String.format(Locale.ROOT, "%,d", Math.round(value))
        : String.format(Locale.ROOT, "%.2f", value);
  }

  private static double median(double[] rounds) {
    Arrays.sort(rounds);
    return (rounds[(rounds.length - 1) / 2] + rounds[rounds.length / 2]) / 2;
  }
}
