package dev.outbox.verification.broken;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.testkit.Neighbour;

@Breaks("theRootSeesOnlyTheCore")
record SeesTheTestKit(Neighbour seen) {}
