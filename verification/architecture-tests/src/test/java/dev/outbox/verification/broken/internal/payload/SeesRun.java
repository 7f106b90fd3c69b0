package dev.outbox.verification.broken.internal.payload;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.internal.run.Neighbour;

@Breaks("internalPackagesSeeOnlyLowerLevels")
record SeesRun(Neighbour seen) {}
