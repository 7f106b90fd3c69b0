package dev.outbox.verification.broken.callback;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.retry.Neighbour;

@Breaks("callbackSeesOnlyWhatTheMapAllows")
record SeesRetry(Neighbour seen) {}
