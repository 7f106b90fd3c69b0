package dev.outbox.verification.broken.email;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.store.Neighbour;

@Breaks("emailSeesNothingElseOfOurs")
record SeesStore(Neighbour seen) {}
