package dev.outbox.verification.broken.store;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.transport.Neighbour;

@Breaks("storeSeesOnlyWhatTheMapAllows")
record SeesTransport(Neighbour seen) {}
