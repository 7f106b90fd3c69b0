package dev.outbox.benchmarks;

/** One of those compared: it stores tasks, and then works them off. */
interface Contender {

  String name();

  /** Stores a number of emails, without working on them. */
  void fill(int emails) throws Exception;

  /** Works until all of them are done. */
  void drain(int emails) throws Exception;

  /** Returns whether it is another library. */
  default boolean isPeer() {
    return false;
  }
}
