package dev.outbox.benchmarks;

/**
 * What every measurement stands on: the servers of this run, and where figures go.
 *
 * @param server the database
 * @param smtpPort where the sink listens
 * @param figures what was measured so far
 * @param rounds how often everything is measured
 * @param emails how many emails a round takes
 */
record BenchmarkEnvironment(
    DatabaseServer server, int smtpPort, Measurements figures, int rounds, int emails) {

  /** Shows what is going on. */
  void say(String text) {
    System.out.printf("%tT %s%n", System.currentTimeMillis(), text);
  }

  /** Measures how many emails a second some work does, and keeps the figure. */
  double rate(String figure, int count, Parallel.Work work) throws Exception {
    long start = System.nanoTime();
    work.run();
    double rate = count / ((System.nanoTime() - start) / 1e9);
    figures.add(figure, rate);
    say("%-62s %,9.0f".formatted(figure, rate));
    return rate;
  }
}
