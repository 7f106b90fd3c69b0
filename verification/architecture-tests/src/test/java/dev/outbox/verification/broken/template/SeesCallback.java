package dev.outbox.verification.broken.template;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.callback.Neighbour;

@Breaks("templateSeesOnlyWhatTheMapAllows")
record SeesCallback(Neighbour seen) {}
