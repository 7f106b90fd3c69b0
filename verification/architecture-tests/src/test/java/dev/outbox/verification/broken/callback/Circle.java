package dev.outbox.verification.broken.callback;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.event.Arc;

@Breaks({"packagesHaveNoCycles", "callbackSeesOnlyWhatTheMapAllows"})
public record Circle(Arc next) {
  /** The way back. */
  public record Start() {}
}
