package dev.outbox.verification.chaos;

import dev.outbox.store.StoreException;
import java.util.ArrayList;
import java.util.List;

/** A send fails if its own thread was interrupted, or if the store could not be used. */
final class SendFailures implements Check {

  @Override
  public String promise() {
    return "an interrupt fails the send of its own thread only, and the error says so";
  }

  @Override
  public List<String> broken(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    Excuses excuses = new Excuses(evidence);
    for (FailedSends.FailedSend send : evidence.failedSends()) {
      if (excuses.mayFail(send)) {
        continue;
      }
      if (!send.interrupted()) {
        broken.add(send + " failed without an interrupt and without an outage");
      } else if (!send.cause().equals(StoreException.Reason.INTERRUPTED.name())) {
        broken.add(send + " was interrupted, and its error does not say so");
      }
    }
    return broken;
  }

  /** Returns how many there were, for people. */
  static String figures(Evidence evidence) {
    return "sends that failed: %d, of them in interrupted threads: %d"
        .formatted(
            evidence.failedSends().size(),
            evidence.failedSends().stream().filter(FailedSends.FailedSend::interrupted).count());
  }
}
