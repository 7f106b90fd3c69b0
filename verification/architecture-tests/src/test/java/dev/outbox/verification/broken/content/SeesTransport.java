package dev.outbox.verification.broken.content;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.transport.Neighbour;

@Breaks("contentSeesOnlyWhatTheMapAllows")
record SeesTransport(Neighbour seen) {}
