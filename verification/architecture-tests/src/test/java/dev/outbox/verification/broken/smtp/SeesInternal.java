package dev.outbox.verification.broken.smtp;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.internal.Neighbour;

@Breaks({"onlyTheRootSeesInternal", "smtpSeesOnlyEmailAndTransport"})
record SeesInternal(Neighbour seen) {}
