package dev.outbox.verification.chaos;

import java.util.Random;

/** What the relay does at the moment instead of its work, at which step, and how often. */
final class RelayTemper {

  /** A step of the dialogue at which something can go wrong. */
  enum Step {
    CONNECT,
    EHLO,
    MAIL,
    RCPT,
    DATA,
    /** In the middle of the message. */
    BODY,
    /** After the final dot, before the answer. */
    DOT,
    /** After the answer to the final dot. */
    ANSWERED
  }

  /** What goes wrong. */
  enum Mood {
    CALM,
    /** It answers, though later than a lease lasts. */
    SLOW,
    /** It does not answer before the client's patience ends. */
    STALL,
    /** It hangs up. */
    DROP,
    /** It says 451. */
    DEFER,
    /** It says 421 and hangs up. */
    BUSY,
    /** Its reply is several thousand characters long. */
    LONG
  }

  private record Setting(Mood mood, Step step) {}

  private static final Setting CALM = new Setting(Mood.CALM, Step.CONNECT);
  private static final int ONE_IN = 3;

  private volatile Setting setting = CALM;
  private final Random random;

  RelayTemper(long seed) {
    this.random = new Random(seed);
  }

  void turn(Mood mood, Step step) {
    setting = new Setting(mood, step);
  }

  void calm() {
    setting = CALM;
  }

  /** Returns what happens to one client at a step. */
  Mood at(Step step) {
    Setting now = setting;
    if (now.step != step || now.mood == Mood.CALM) {
      return Mood.CALM;
    }
    synchronized (random) {
      return random.nextInt(ONE_IN) == 0 ? now.mood : Mood.CALM;
    }
  }
}
