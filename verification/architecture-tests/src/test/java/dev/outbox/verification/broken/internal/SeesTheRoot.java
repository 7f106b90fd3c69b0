package dev.outbox.verification.broken.internal;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.Neighbour;

@Breaks("internalSeesOnlyTheExportedPackagesBelowTheRoot")
record SeesTheRoot(Neighbour seen) {}
