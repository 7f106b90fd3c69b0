package dev.outbox.verification.chaos;

import java.util.EnumSet;
import java.util.Set;

/** What can go wrong by the schedule, and how often in comparison. */
enum FaultKind {
  KILL_WORKER(4),
  KILL_PRODUCER(2),
  /** {@code kill -9} at the moment of a final dot, before it is answered or after. */
  KILL_AT_DOT(4),
  /** SIGSTOP for longer than the lease. */
  FREEZE_WORKER(2),
  FREEZE_AT_DOT(3),
  /** SIGTERM, which closes the outbox in the middle of its work. */
  CLOSE_WORKER(2),
  /** The wall clock of a running worker jumps an hour. */
  CLOCK_JUMP(2),
  KILL_DATABASE(1),
  /** One node cannot reach the database for a while. */
  CUT_NODE(2),
  /** Connections of one node stand, and nothing moves on them. */
  HOLD_NODE(1),
  /** All connections to the database are lost once. */
  DROP_ALL(2),
  SLOW_DATABASE(2),
  LOCK_TABLES(2),
  RELAY_SLOW(3),
  RELAY_STALL(2),
  RELAY_DROP(4),
  RELAY_DEFER(2),
  RELAY_BUSY(1),
  /** All connections to the relay are lost once. */
  RELAY_CUT(2),
  CALLBACK_FAULT(3),
  FULL_DISK(1),
  POISON_ROW(2),
  /** Threads that call {@code send} are interrupted, each at random moments. */
  INTERRUPT_SENDERS(3),
  /** Emails with texts that are one character longer than what is stored. */
  POISON_EMAIL(3),
  /** Replies of several thousand characters. */
  RELAY_LONG_REPLY(2);

  private static final Set<FaultKind> SERVER_ONLY =
      EnumSet.of(KILL_DATABASE, CUT_NODE, HOLD_NODE, DROP_ALL, SLOW_DATABASE, LOCK_TABLES);

  private final int weight;

  FaultKind(int weight) {
    this.weight = weight;
  }

  int weight() {
    return weight;
  }

  /** Returns whether it can happen to nodes on a store. */
  boolean concerns(StoreKind store) {
    return switch (store) {
      case MARIADB -> true;
      case DYNAMODB -> this != LOCK_TABLES;
      // One process is all there is: it is producer, worker and database in one.
      // Its file is closed by an interrupt.
      case H2 -> !SERVER_ONLY.contains(this) && this != KILL_PRODUCER && this != INTERRUPT_SENDERS;
    };
  }

  /** Returns whether a process ends by it without a chance to say anything. */
  boolean kills() {
    return this == KILL_WORKER || this == KILL_AT_DOT || this == KILL_PRODUCER;
  }

  boolean freezes() {
    return this == FREEZE_WORKER || this == FREEZE_AT_DOT;
  }

  /** Returns whether commits may have to wait for its end. */
  boolean hurtsTheDatabase() {
    return SERVER_ONLY.contains(this) || this == FULL_DISK;
  }

  /** Returns whether a node loses the database by it while others may have it. */
  boolean cutsOff() {
    return this == CUT_NODE || this == HOLD_NODE;
  }
}
