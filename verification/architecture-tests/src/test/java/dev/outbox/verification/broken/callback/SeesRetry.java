package dev.outbox.verification.broken.callback;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.retry.Neighbour;

@Breaks("callbackSeesOnlyEmail")
record SeesRetry(Neighbour seen) {}
