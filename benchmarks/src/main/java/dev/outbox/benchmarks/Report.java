package dev.outbox.benchmarks;

import static dev.outbox.benchmarks.Competitors.FLOOR;
import static dev.outbox.benchmarks.Competitors.FLOOR_EMPTY;
import static dev.outbox.benchmarks.Competitors.OURS;
import static dev.outbox.benchmarks.Competitors.OURS_2;
import static dev.outbox.benchmarks.Competitors.OURS_4;
import static dev.outbox.benchmarks.Competitors.OURS_EMPTY;
import static dev.outbox.benchmarks.Competitors.OUTBOX;
import static dev.outbox.benchmarks.Competitors.OUTBOX_EMPTY;
import static dev.outbox.benchmarks.Competitors.SCHEDULER;
import static dev.outbox.benchmarks.Competitors.SCHEDULER_EMPTY;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a run has shown: the targets with their verdicts, all figures, and charts. */
final class Report {

  private final Measurements measurements;
  private final List<BenchmarkTarget> targets = new ArrayList<>();

  Report(Measurements measurements) {
    this.measurements = measurements;
  }

  /** Adds what every run measures. */
  void addComparison() {
    targets.add(BenchmarkTarget.ratio("drain, end to end / floor", ratio(OURS, FLOOR), 0.6, 0.8));
    targets.add(
        BenchmarkTarget.ratio(
            "drain, end to end / faster peer with the same email",
            Math.min(ratio(OURS, SCHEDULER), ratio(OURS, OUTBOX)),
            4,
            5));
    targets.add(
        BenchmarkTarget.ratio(
            "drain, empty transport / faster peer with an empty task",
            Math.min(ratio(OURS_EMPTY, SCHEDULER_EMPTY), ratio(OURS_EMPTY, OUTBOX_EMPTY)),
            3,
            5));
    targets.add(
        BenchmarkTarget.ratio(
            "`sendAll` / plain JDBC batch",
            measurements.ratio(OURS + ": stored in batches/s", FLOOR + ": stored in batches/s"),
            0.7,
            0.9));
    targets.add(
        BenchmarkTarget.ratio(
            "`send`, 32 threads / plain single inserts, 32 threads",
            measurements.ratio(SendComparison.ours(32), SendComparison.floor(32)),
            1,
            2));
    targets.add(BenchmarkTarget.ratio("4 nodes / 1 node", ratio(OURS_4, OURS), 0.8, 1));
    targets.add(
        BenchmarkTarget.cost(
            "statements per 1,000 emails drained",
            measurements.median(OURS + ": statements per 1,000"),
            40,
            30));
    targets.add(
        BenchmarkTarget.ratio(
            "drain under an old snapshot / without",
            measurements.ratio(DrainComparison.OLD_SNAPSHOT, OURS + ": drain/s"),
            0.5,
            0.8));
    targets.add(
        BenchmarkTarget.cost(
            "wake-up p50, ms", measurements.median(Latency.WAKE + " p50, ms"), 10, 3));
    targets.add(
        BenchmarkTarget.cost(
            "wake-up p99, ms", measurements.median(Latency.WAKE + " p99, ms"), 100, 20));
  }

  /** Adds what only runs with large tables measure. */
  void addGrowth(int rows) {
    targets.add(
        BenchmarkTarget.ratio(
            "drain with %,d log rows and 100,000 failed / empty".formatted(rows),
            measurements.ratio(
                TableGrowthBenchmark.withFailed(rows),
                TableGrowthBenchmark.beside(TableGrowthBenchmark.withFailed(rows))),
            0.8,
            0.95));
  }

  private double ratio(String name, String other) {
    return measurements.ratio(name + ": drain/s", other + ": drain/s");
  }

  boolean isMet() {
    return targets.stream().allMatch(BenchmarkTarget::isMet);
  }

  @Override
  public String toString() {
    MarkdownTable table = new MarkdownTable("what", "measured", "at least", "aim", "");
    for (BenchmarkTarget each : targets) {
      table.row(
          each.what(),
          Measurements.text(each.value()),
          (each.cost() ? "at most " : "") + Measurements.text(each.least()),
          Measurements.text(each.aim()),
          each.verdict());
    }
    return table + "\n\n" + measurements.table() + "\n";
  }

  /** Writes the tables and the charts. */
  void writeTo(Path folder, String name) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve(name + ".md"), toString());
    if (!measurements.has(OURS + ": drain/s")) {
      return;
    }
    Files.writeString(
        folder.resolve("drain.svg"),
        chart(
                "Emails a second, end to end (templates, SMTP, archive; one machine)",
                List.of(OURS, OURS_2, OURS_4, FLOOR, SCHEDULER, OUTBOX))
            .svg());
    Files.writeString(
        folder.resolve("empty.svg"),
        chart(
                "Tasks a second with nothing to do (queue only)",
                List.of(OURS_EMPTY, FLOOR_EMPTY, SCHEDULER_EMPTY, OUTBOX_EMPTY))
            .svg());
  }

  private BarChart chart(String title, List<String> names) {
    BarChart chart = new BarChart(title);
    names.forEach(name -> chart.bar(name, measurements.median(name + ": drain/s")));
    return chart;
  }
}
