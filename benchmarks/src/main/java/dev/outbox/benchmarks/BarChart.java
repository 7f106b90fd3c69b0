package dev.outbox.benchmarks;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Bars side by side, as an SVG that is readable on light and dark pages. */
final class BarChart {

  private static final int BAR = 26;
  private static final int LABELS = 300;
  private static final int WIDTH = 760;

  private final String title;
  private final Map<String, Double> bars = new LinkedHashMap<>();

  BarChart(String title) {
    this.title = title;
  }

  BarChart bar(String label, double value) {
    bars.put(label, value);
    return this;
  }

  String svg() {
    double most = bars.values().stream().mapToDouble(Double::doubleValue).max().orElse(1);
    StringBuilder svg = new StringBuilder();
    int height = 40 + bars.size() * BAR;
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="13">
        <rect width="100%%" height="100%%" fill="#ffffff"/>
        <text x="10" y="22" font-weight="bold" fill="#222222">%s</text>
        """
            .formatted(WIDTH, height, escaped(title)));
    int y = 36;
    for (Map.Entry<String, Double> bar : bars.entrySet()) {
      int width = (int) Math.max(1, bar.getValue() / most * (WIDTH - LABELS - 90));
      String color = bar.getKey().startsWith("ours") ? "#2a6fdb" : "#9aa5b1";
      svg.append(
          String.format(
              Locale.ROOT,
              """
              <text x="%d" y="%d" text-anchor="end" fill="#222222">%s</text>
              <rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>
              <text x="%d" y="%d" fill="#222222">%,.0f</text>
              """,
              LABELS - 8,
              y + 15,
              escaped(bar.getKey()),
              LABELS,
              y,
              width,
              BAR - 6,
              color,
              LABELS + width + 6,
              y + 15,
              bar.getValue()));
      y += BAR;
    }
    return svg.append("</svg>\n").toString();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }
}
