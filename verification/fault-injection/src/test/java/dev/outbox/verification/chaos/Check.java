package dev.outbox.verification.chaos;

import java.util.List;

/** One promise, and how to see from outside whether it was kept. */
interface Check {

  /** Returns the promise in words. */
  String promise();

  /** Returns what contradicts it; nothing if it was kept. */
  List<String> broken(Evidence evidence);
}
