package dev.outbox.benchmarks;

/**
 * A bound on what was measured.
 *
 * @param least what must be reached, or for costs must not be passed
 * @param aim what would be better
 * @param cost whether less is better
 */
record BenchmarkTarget(String what, double value, double least, double aim, boolean cost) {

  static BenchmarkTarget ratio(String what, double value, double least, double aim) {
    return new BenchmarkTarget(what, value, least, aim, false);
  }

  static BenchmarkTarget cost(String what, double value, double most, double aim) {
    return new BenchmarkTarget(what, value, most, aim, true);
  }

  boolean isMet() {
    return reaches(least);
  }

  String verdict() {
    return !isMet() ? "**missed**" : reaches(aim) ? "aim reached" : "reached";
  }

  private boolean reaches(double bound) {
    return cost ? value <= bound : value >= bound;
  }
}
