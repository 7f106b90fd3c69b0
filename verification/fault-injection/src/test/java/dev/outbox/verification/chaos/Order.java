package dev.outbox.verification.chaos;

/** How a node and the director talk over its standard streams, among what the node logs. */
final class Order {

  /** What lines for the director begin with. */
  static final String ANSWER = "@ ";

  /** What a node says once it has begun its work. */
  static final String UP = "up";

  /** What a node says of a time in which it did not run; milliseconds follow. */
  static final String STALLED = "stalled ";

  /** What a node reports of a send that failed; see {@link FailedSends}. */
  static final String FAILED = "failed ";

  /** Orders interrupts: milliseconds and a seed follow, in the answer their number. */
  static final String INTERRUPT = "interrupt";

  /** Orders emails with texts that are too long: a number follows, in the answer how many. */
  static final String POISON = "poison";

  private Order() {}
}
