package dev.outbox.verification.broken.monitoring;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.store.Neighbour;

@Breaks("monitoringSeesOnlyWhatTheMapAllows")
record SeesStore(Neighbour seen) {}
