package dev.outbox.verification.broken.javalin;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.internal.Neighbour;

@Breaks({"onlyTheRootSeesInternal", "javalinSeesOnlyExportedPackages"})
record SeesInternal(Neighbour seen) {}
