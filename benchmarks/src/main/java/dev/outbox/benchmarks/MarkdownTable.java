package dev.outbox.benchmarks;

import java.util.ArrayList;
import java.util.List;

/** A table as it stands in {@code docs/performance.md}. */
final class MarkdownTable {

  private final List<String> lines = new ArrayList<>();

  MarkdownTable(String... columns) {
    row(columns);
    lines.add("|" + "---|".repeat(columns.length));
  }

  MarkdownTable row(String... cells) {
    lines.add("| " + String.join(" | ", cells) + " |");
    return this;
  }

  @Override
  public String toString() {
    return String.join("\n", lines);
  }
}
