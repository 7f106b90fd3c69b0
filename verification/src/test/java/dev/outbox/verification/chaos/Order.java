package dev.outbox.verification.chaos;

/** How a node and the director talk over its standard streams, among what the node logs. */
final class Order {

  /** What lines for the director begin with. */
  static final String ANSWER = "@ ";

  /** What a node says once it has begun its work. */
  static final String UP = "up";

  /** What a node says of a time in which it did not run; milliseconds follow. */
  static final String STALLED = "stalled ";

  private Order() {}
}
