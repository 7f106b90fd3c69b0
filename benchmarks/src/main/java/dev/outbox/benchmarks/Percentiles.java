package dev.outbox.benchmarks;

import java.util.Arrays;
import java.util.Collection;

/** The usual points of a distribution of times, in milliseconds. */
record Percentiles(double p50, double p95, double p99) {

  static Percentiles ofNanos(Collection<Long> times) {
    double[] sorted = times.stream().mapToDouble(time -> time / 1e6).sorted().toArray();
    return new Percentiles(at(sorted, 0.5), at(sorted, 0.95), at(sorted, 0.99));
  }

  private static double at(double[] sorted, double part) {
    return sorted[Math.min(sorted.length - 1, (int) (sorted.length * part))];
  }

  void addTo(Measurements measurements, String name) {
    measurements.add(name + " p50, ms", p50);
    measurements.add(name + " p95, ms", p95);
    measurements.add(name + " p99, ms", p99);
  }

  static Percentiles ofNanos(long[] times) {
    return ofNanos(Arrays.stream(times).boxed().toList());
  }
}
