package dev.outbox.verification.broken.settings;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.email.Neighbour;

@Breaks("settingsSeeNothingElseOfOurs")
record SeesEmail(Neighbour seen) {}
