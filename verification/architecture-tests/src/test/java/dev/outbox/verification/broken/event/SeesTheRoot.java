package dev.outbox.verification.broken.event;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.Neighbour;

@Breaks("eventSeesOnlyWhatTheMapAllows")
record SeesTheRoot(Neighbour seen) {}
