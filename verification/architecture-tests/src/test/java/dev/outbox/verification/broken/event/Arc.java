package dev.outbox.verification.broken.event;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.callback.Circle;

@Breaks({"packagesHaveNoCycles", "eventSeesOnlyWhatTheMapAllows"})
public record Arc(Circle.Start next) {}
