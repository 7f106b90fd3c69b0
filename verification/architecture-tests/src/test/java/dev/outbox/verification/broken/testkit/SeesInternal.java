package dev.outbox.verification.broken.testkit;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.internal.Neighbour;

@Breaks({"testkitSeesOnlyExportedPackages", "onlyTheRootSeesInternal"})
record SeesInternal(Neighbour seen) {}
