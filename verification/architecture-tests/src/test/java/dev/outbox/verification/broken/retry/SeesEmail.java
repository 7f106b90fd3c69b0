package dev.outbox.verification.broken.retry;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.email.Neighbour;

@Breaks("retrySeesNothingElseOfOurs")
record SeesEmail(Neighbour seen) {}
