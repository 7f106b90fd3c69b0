package dev.outbox.verification.chaos;

import java.util.List;

/** No thread or connection is left after closing. */
final class NothingLeaked implements Check {

  @Override
  public String promise() {
    return "nodes close in time, and no thread or connection is left";
  }

  @Override
  public List<String> broken(Evidence evidence) {
    return evidence.leaks();
  }
}
