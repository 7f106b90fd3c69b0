package dev.outbox.benchmarks;

/** One of those compared: it stores tasks, and then works them off. */
interface Competitor {

  String name();

  /** Stores a number of emails, without working on them. */
  void fill(int emails) throws Exception;

  /** Works until all of them are done; what runs may go on running. */
  void drain(int emails) throws Exception;

  /** Ends what runs. */
  default void rest() {}

  /** Returns whether it is another library. */
  default boolean isPeer() {
    return false;
  }
}
