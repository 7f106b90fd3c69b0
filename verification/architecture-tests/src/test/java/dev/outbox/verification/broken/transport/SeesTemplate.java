package dev.outbox.verification.broken.transport;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.template.Neighbour;

@Breaks("transportSeesOnlyWhatTheMapAllows")
record SeesTemplate(Neighbour seen) {}
