package dev.outbox.verification.broken.event;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.internal.Neighbour;

@Breaks({"onlyTheRootSeesInternal", "eventSeesOnlyWhatTheMapAllows"})
record SeesInternal(Neighbour seen) {}
